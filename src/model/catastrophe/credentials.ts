// Credentials: the files that hold them, and the commands that hand them out.

import { pathFits } from '../glob.ts';
import { globsMeet } from '../glob-meet.ts';
import type { Ground } from '../permission.ts';
import { below } from '../place.ts';
import { gitOf } from '../shell/git.ts';
import { type Command, literal, shownText, type Word } from '../shell/script.ts';
import { meant, namesIn, type Spot } from '../shell/spot.ts';
import { programOf } from '../shell/unwrap.ts';

const lines = (text: string): readonly string[] => text.split(/\s+/).filter((line) => line !== '');

/** Below a home. A folder stands for all in it. */
const inHome = [
  'Library/Application Support/Google/Chrome',
  ...lines(`
  .ssh .aws .gnupg .netrc _netrc .git-credentials .gitconfig .gitcookies
  .config/gh .config/git .config/hub .config/glab-cli .config/op .config/gcloud .config/rclone .config/doctl
  .config/google-chrome .config/chromium .config/BraveSoftware .mozilla
  .docker/config.json .kube .azure .oci .npmrc .yarnrc.yml .pypirc .cargo/credentials .cargo/credentials.toml .gem/credentials
  .terraform.d .terraformrc .vault-token .pgpass .my.cnf .s3cfg .boto .databrickscfg .m2/settings.xml .gradle/gradle.properties
  .password-store .local/share/keyrings .local/share/gnome-keyring .local/share/opencode/auth.json
  Library/Keychains Library/Cookies
  .claude/.credentials.json .claude.json .codex/auth.json .gemini/oauth_creds.json .config/opencode
`),
];

/** Anywhere on the disk. */
const onDisk = [
  'etc/shadow',
  'etc/shadow-',
  'etc/gshadow',
  'etc/sudoers',
  'etc/sudoers.d',
  'etc/ssh/ssh_host_*',
  'etc/krb5.keytab',
  'proc/*/environ',
  'proc/*/mem',
  'run/secrets',
  'var/run/secrets',
  'Library/Keychains',
];

const keyNames = /(^|\/)(id_(rsa|dsa|ecdsa|ed25519)(_sk)?|\.netrc|\.git-credentials|\.pgpass|\.htpasswd)$/i;
const ofRepository =
  /(^|\/)\.git\/(config|credentials)(\/|$)|(^|\/)\.git\/(worktrees|modules)\/[^\n]*\/config(\.worktree)?$/i;

/** Homes there may be; the one of the user first. */
const homes = (ground: Ground): readonly string[] => [ground.userHome, '/root', '/var/root'];

/** Whether the path is, or holds nothing but, credentials. */
export function isCredential(path: string, ground: Ground): boolean {
  // Some disks leave signs out that cannot be seen.
  const plain = /^[ -~]*$/.test(path) ? path : path.normalize('NFC').replaceAll(/\p{Cf}/gu, '');
  if (keyNames.test(plain) || ofRepository.test(plain)) return true;
  const others = /^\/(?:home|Users)\/[^/]+\/(.*)$/.exec(plain)?.[1];
  const within = [...homes(ground).map((home) => below(home, plain)), others].filter((one) => one !== undefined);
  const lower = (text: string) => text.toLowerCase();
  return (
    within.some((rest) => inHome.some((known) => below(lower(known), lower(rest)) !== undefined)) ||
    onDisk.some((known) => pathFits(lower(known), lower(plain)) || pathFits(`${lower(known)}/**`, lower(plain)))
  );
}

/** A folder high enough to hold the credentials of a home. */
export const holdsHome = (path: string, ground: Ground): boolean =>
  /^\/(home|Users|root|var|etc|proc|run)?$/.test(path) ||
  below(path, ground.userHome) !== undefined ||
  /^\/(home|Users)\/[^/]+$/.test(path);

/** Which word names a credential, in words. */
export function namesCredential(word: Word, spot: Spot): string | undefined {
  for (const name of namesIn(word)) {
    const found = meant(name, spot);
    if (found === undefined) {
      // What stands around the unknown may tell enough.
      if (namesCredentialInText(around(name))) return `it names ${shownText(word)}, where credentials are kept`;
      continue;
    }
    const isOne = found.places.some(({ every }) => every.some((path) => isCredential(path, spot.ground)));
    if (isOne || (found.glob !== undefined && mayBeOne(found.places[0]?.every ?? [], found.glob, spot.ground))) {
      return `it names ${shownText(word)}, where credentials are kept`;
    }
  }
  return undefined;
}

/** Without what comes from other commands, which are judged by themselves. */
const around = ({ pieces }: Word): string =>
  shownText({
    source: '',
    pieces: pieces.filter((piece) => piece.is !== 'unknown' || !/^(\$\(|`|<\()/.test(piece.source)),
  });

function mayBeOne(folders: readonly string[], glob: { name: string; tail: string }, ground: Ground): boolean {
  const known = [
    ...homes(ground).flatMap((home) => inHome.map((path) => `${home}/${path}`)),
    ...onDisk.map((path) => `/${path}`),
  ];
  return folders.some((folder) =>
    known.some((path) => {
      const rest = below(folder === '/' ? '/' : folder, path);
      return rest !== undefined && rest !== '' && mayReach(`${glob.name}${glob.tail}`, rest);
    }),
  );
}

/** Whether names with stars may lead to the path, or into it. A star alone means no hidden file. */
function mayReach(pattern: string, path: string): boolean {
  const globs = pattern.split('/').filter((part) => part !== '');
  const names = path.split('/');
  const shared = Math.min(globs.length, names.length);
  return (
    globs.slice(0, shared).every((glob, at) => {
      const name = names[at] ?? '';
      const meetsHidden = !name.startsWith('.') || /^[.[]/.test(glob.replaceAll('\u0000', '*'));
      return meetsHidden && globsMeet(glob.replaceAll('\u0000', '*').replace(/\[[^\]]*\]?/g, '?'), name);
    }) && globs.length >= names.length
  );
}

const recursive = /^(tar|bsdtar|zip|7z|rsync|scp|rg|ag|ack|tree|du)$/;

/** A whole home taken along or searched through. */
export function takesHome(command: Command, spot: Spot): string | undefined {
  const program = programOf(command) ?? '';
  const args = command.words.slice(1);
  const goesDown =
    recursive.test(program) ||
    (/^(cp|grep|egrep|fgrep|ggrep|chmod|chown)$/.test(program) &&
      args.some((word) => /^-[a-zA-Z]*[raR]|^--(recursive|archive)/.test(shownText(word))));
  if (!goesDown || /^(tree|du)$/.test(program)) return undefined;
  const word = args.find((one) =>
    namesIn(one).some((name) => {
      const found = meant(name, spot);
      return (
        found !== undefined &&
        (found.glob?.tail ?? '') === '' &&
        found.places.some(({ every }) => every.some((path) => holdsHome(path, spot.ground)))
      );
    }),
  );
  return word === undefined ? undefined : `it goes through ${shownText(word)}, credentials and all`;
}

const handsOut: readonly (readonly [string, RegExp])[] = [
  ['gh', /^auth (token|login|refresh|setup-git|logout)|^auth status.*(-t|--show-token)/],
  ['glab', /^auth /],
  ['gcloud', /print-(access|identity)-token|^auth (login|activate)/],
  ['aws', /^(configure|sso login|sts (get|assume)|ecr get-login|secretsmanager get|ssm get-parameter)/],
  ['az', /get-access-token|^login|keyvault secret (show|download)/],
  ['security', /find-(generic|internet)-password|dump-keychain|export|unlock-keychain|add-/],
  ['secret-tool', /./],
  ['keyring', /^get/],
  ['pass', /^(?!ls\b|list\b|find\b|search\b)./],
  ['op', /./],
  ['bw', /./],
  ['vault', /^(read|kv get|token|login|unwrap)/],
  ['gpg', /--export-secret|--export-ssh/],
  ['npm', /^(token|login|adduser|config (get|ls|list|set).*_auth)/],
  ['docker', /^login/],
  ['podman', /^login/],
  ['heroku', /^auth/],
  ['kubectl', /config view.*--raw|^(get|describe) secrets?|create token/],
  ['claude', /^(setup-token|auth|login)/],
  ['codex', /^(login|logout)/],
  ['ssh-add', /-[lL]|^$/],
  ['git-credential', /./],
];

/** A command that hands credentials out, or changes who hands them out. */
export function handsOutCredentials(command: Command): string | undefined {
  const program = programOf(command) ?? '';
  const args = command.words.slice(1).map(shownText);
  const line = args.join(' ');
  const known = handsOut.some(
    ([name, pattern]) =>
      name === program &&
      pattern.test(args.filter((text) => !/^-[a-z]*$/.test(text) || /^-[tlL]$/.test(text)).join(' ')),
  );
  if (known || /^git-credential/.test(program))
    return `${program} ${line.slice(0, 80)} hands out or changes credentials`;
  if (program !== 'git') return undefined;
  const call = gitOf(command.words);
  const verb = call?.verb ?? '';
  const rest = call?.args.map((word) => literal(word) ?? shownText(word)).join(' ') ?? '';
  if (verb.startsWith('credential')) return 'it speaks to the helper that keeps credentials';
  const touches = /credential|extraheader|http\..*\.(proxy|cookiefile|sslkey)|url\..*insteadof|askpass|sshcommand/i;
  if (verb === 'config' && touches.test(rest)) return 'it changes how git gets credentials';
  return (call?.odd ?? []).some((option) => /credential|askpass/i.test(option))
    ? 'it changes how git gets credentials'
    : undefined;
}

/** Text of a program written into the line. */
export const namesCredentialInText = (text: string): boolean =>
  /\.ssh\b|\.aws\b|\.gnupg\b|\.netrc\b|\.git-credentials|id_(rsa|ed25519|ecdsa)|\.docker\/config|\.kube\b|\.npmrc|\.pypirc|\.pgpass|\.credentials\.json|\.codex\/auth|Keychains|\/etc\/shadow|\.config\/gh\b/.test(
    text,
  );
