// Programs that begin with options of their own and go on with a command to run.

export interface Runner {
  /** Adds nothing to what it runs: where the inner command is allowed, so is this. */
  readonly isTransparent: boolean;
  /** Options that stand alone, or hold their value themselves. */
  readonly flags: RegExp;
  /** Options whose value is the next word. */
  readonly valued: RegExp;
  /** Words between the options and the command. */
  readonly operands?: number;
  readonly assigns?: boolean;
  /** Adds words of its own to the command. */
  readonly adds?: boolean;
  /** Hands its words to a shell as one script. */
  readonly joins?: boolean;
  /** Its next word, or its value, is a script. */
  readonly script?: RegExp;
  /** Only tells something, and runs nothing. */
  readonly prints?: RegExp;
  /** Changes the folder in which the command runs. */
  readonly moves?: RegExp;
  readonly bareDash?: boolean;
}

const none = /^(?!)/;
const simple: Runner = { isTransparent: true, flags: none, valued: none };

/** Runs a program of a project, of a package, or of somebody else: to be allowed by a rule of its own. */
export const launcher = (more: Partial<Runner> = {}): Runner => ({
  isTransparent: false,
  flags: /^(-[a-zA-Z]+|--[\w-]+(=[\s\S]*)?)$/,
  valued: /^(-p|--package|--from|--with|--python|-C|--cwd|--dir|--project|--directory|--filter)$/,
  moves: /^(-C|--cwd|--dir|--directory)/,
  ...more,
});

export const runners: Readonly<Record<string, Runner>> = {
  command: { ...simple, flags: /^-p$/, prints: /^-p?[vV]/ },
  builtin: simple,
  nohup: simple,
  noglob: simple,
  nocorrect: simple,
  '-': simple,
  chronic: simple,
  unbuffer: { ...simple, flags: /^-p$/ },
  exec: { ...simple, flags: /^-[cl]+$/, valued: /^-[cl]*a$/ },
  env: {
    ...simple,
    flags: /^(-[i0v]+|--ignore-environment|--null|--debug|-u.+|--unset=.+|--(default|ignore|block)-signal(=.*)?)$/,
    valued: /^(-u|-C|--unset|--chdir)$/,
    script: /^(-S|--split-string)/,
    moves: /^(-C|--chdir)/,
    assigns: true,
    bareDash: true,
  },
  nice: { ...simple, flags: /^(-n?-?\d+|--adjustment=-?\d+)$/, valued: /^(-n|--adjustment)$/ },
  ionice: { ...simple, flags: /^(-[cn]\d|-t)$/, valued: /^(-c|-n)$/ },
  stdbuf: { ...simple, flags: /^(-[ioe].+|--(input|output|error)=.+)$/, valued: /^-[ioe]$/ },
  setsid: { ...simple, flags: /^(-[cfw]+|--(ctty|fork|wait))$/ },
  time: { ...simple, flags: /^(-[pvalh]+|--(portability|verbose))$/, valued: /^-f$/ },
  timeout: {
    ...simple,
    flags: /^(-v|-[ks].+|--(kill-after|signal)=.+|--preserve-status|--foreground|--verbose)$/,
    valued: /^(-k|-s|--kill-after|--signal)$/,
    operands: 1,
  },
  gtimeout: { ...simple, flags: /^(-[ks].+|--preserve-status|--foreground)$/, valued: /^(-k|-s)$/, operands: 1 },
  caffeinate: { ...simple, flags: /^-[disum]+$/, valued: /^-[tw]$/ },
  busybox: simple,
  toybox: simple,
  xargs: {
    ...simple,
    flags:
      /^(-[0rtx]+|-[nLPsdEI].+|-[il]\d*|--(null|no-run-if-empty|verbose|exit|(max-args|max-procs|max-lines|max-chars|delimiter|replace|eof)(=.*)?))$/,
    valued: /^-[nLPsdEIa]$/,
    adds: true,
  },
  watch: {
    isTransparent: true,
    flags: /^(-[bcdegtx]+|-n.+|--(interval|differences)(=.*)?|--(beep|color|errexit|chgexit|no-title))$/,
    valued: /^(-n|--interval)$/,
    joins: true,
  },
  flock: {
    isTransparent: false,
    flags: /^(-[eFnosux]+|--(close|exclusive|no-fork|nonblock|nb|shared|verbose))$/,
    valued: /^(-w|-E|--wait|--timeout)$/,
    operands: 1,
  },
  script: {
    isTransparent: false,
    flags: /^(-[aefqO]+|--(append|flush|quiet|return))$/,
    valued: /^-[tBIO]$/,
    script: /^(-q?c|--command)/,
  },
  sudo: {
    isTransparent: false,
    flags: /^(-[AbEHKknPSsi]+|--(askpass|background|preserve-env|set-home|non-interactive|stdin|shell|login)(=.*)?)$/,
    valued: /^(-[CgpRrTtuUh]|--(user|group|prompt|host))$/,
    moves: /^(-D|--chdir)/,
    assigns: true,
  },
  doas: { isTransparent: false, flags: /^-[Lns]+$/, valued: /^-[aCu]$/ },
  su: {
    isTransparent: false,
    flags: /^(-|-l|--login|-m|-p)$/,
    valued: /^-[gsG]$/,
    script: /^(-c|--command)/,
    operands: 1,
    bareDash: true,
  },
  chroot: { isTransparent: false, flags: /^--.+$/, valued: none, operands: 1 },
  fakeroot: { isTransparent: false, flags: none, valued: none },
  npx: launcher({ script: /^(-c|--call)/ }),
  bunx: launcher(),
  uvx: launcher(),
  pipx: launcher({ operands: 1 }),
  'cross-env': { isTransparent: true, flags: none, valued: none, assigns: true },
  dotenv: launcher({ valued: /^-[efpv]$/ }),
};

/** Words with which a package manager begins to run a program. */
export const launchVerbs: Readonly<Record<string, RegExp>> = {
  npm: /^(exec|x)$/,
  pnpm: /^(exec|dlx)$/,
  yarn: /^(exec|dlx)$/,
  bun: /^x$/,
  uv: /^run$/,
  poetry: /^run$/,
  pipenv: /^run$/,
  pdm: /^run$/,
  rye: /^run$/,
  bundle: /^exec$/,
  mise: /^(exec|x)$/,
  asdf: /^exec$/,
  direnv: /^exec$/,
};
