// What commands say that fail in a sandbox: recorded from each shell by `npm run record shells`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const root = join(import.meta.dirname, '../fixtures/shells');
const write = 'sandbox.allow_write';

interface ShellCase {
  readonly name: string;
  readonly line: string;
  /** The setting that opens what failed, in these shells; none where nothing was kept in. */
  readonly opens?: { readonly key: string; readonly in: readonly string[] };
}

export const shells = ['bash', 'zsh', 'dash'] as const;

const everywhere = { key: write, in: shells };
/** zsh writes the text into a file; others have a pipe. */
const inZsh = { key: write, in: ['zsh'] };

export const shellCases: readonly ShellCase[] = [
  { name: 'a redirection', line: 'echo x >/usr/x', opens: everywhere },
  { name: 'an appended line', line: 'echo x >>"/usr/with space"', opens: everywhere },
  { name: 'in an eval', line: "eval 'echo x >/usr/x'", opens: everywhere },
  { name: 'in a function of one line', line: 'f() { echo x >/usr/x; }; f', opens: everywhere },
  { name: 'in a function of several lines', line: 'f() {\n  echo x >/usr/x\n}\nf', opens: everywhere },
  { name: 'in a subshell', line: '(cd / && echo x >usr/x)', opens: everywhere },
  { name: 'a program', line: 'touch /usr/x', opens: everywhere },
  { name: 'a program behind a pipe', line: 'echo x | tee /usr/x >/dev/null', opens: everywhere },
  { name: 'a program, or the part of zsh for it', line: 'zmodload zsh/files; mkdir /usr/x', opens: everywhere },
  { name: 'a here-document', line: 'cat <<END\nx\nEND', opens: inZsh },
  { name: 'a here-string', line: 'cat <<<x', opens: inZsh },
  { name: 'no such program', line: 'no-such-program' },
  { name: 'no program', line: '/etc/passwd' },
  { name: 'no such folder', line: 'cd /none' },
  { name: 'no such file', line: '. /none' },
  { name: 'a file that is there', line: 'set -C; echo x >/etc/passwd' },
  { name: 'no network', line: 'exec 3<>/dev/tcp/127.0.0.1/9' },
  { name: 'no network by the part of zsh for it', line: 'zmodload zsh/net/tcp && ztcp 127.0.0.1 9' },
];

const said = z.record(z.string(), z.object({ exitCode: z.number(), output: z.string() }));
export type Said = z.infer<typeof said>;

const walls = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-net', '--die-with-parent'];

/** Runs each case in a sandbox that writes nowhere and reaches nobody. */
export function runCases(shell: string): Said {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/nonexistent', LANG: 'C.UTF-8' };
  const ran = shellCases.map(({ name, line }) => {
    const { status, stdout, stderr, error } = spawnSync('bwrap', [...walls, '--chdir', '/', '--', shell, '-c', line], {
      env,
      encoding: 'utf8',
    });
    if (status === null) throw new Error(`${shell} did not run in bubblewrap: ${error ?? stderr}`);
    return [name, { exitCode: status, output: stdout + stderr }] as const;
  });
  return Object.fromEntries(ran);
}

const fileOf = (shell: string) => join(root, `${shell}.json`);

export const recordedCases = (shell: string): Said => said.parse(JSON.parse(readFileSync(fileOf(shell), 'utf8')));

export function recordShells(): void {
  mkdirSync(root, { recursive: true });
  for (const shell of shells) writeFileSync(fileOf(shell), `${JSON.stringify(runCases(shell), null, 2)}\n`);
}
