// The TCP ports that programs of this machine listen on: from /proc where there is one, else from netstat.
import { readFile } from 'node:fs/promises';
import { run } from './exec.ts';
import { hasProc } from './process-table.ts';

/** Empty where the system does not tell. */
export async function listeningPorts(): Promise<ReadonlySet<number>> {
  if (await hasProc()) {
    const tables = ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'utf8').catch(() => ''));
    return new Set((await Promise.all(tables)).flatMap(portsInProc));
  }
  const options = { env: { PATH: '/bin:/usr/bin:/usr/sbin' }, timeoutMs: 5_000 };
  const { stdout } = await run('netstat', ['-an', '-p', 'tcp'], options);
  return new Set(portsInNetstat(stdout));
}

/** A `/proc/net/tcp`: `0A` is the state of a listener, and its port is in base 16. */
export const portsInProc = (text: string): number[] =>
  [...text.matchAll(/^ *\d+: [0-9A-F]+:([0-9A-F]{4}) \S+ 0A /gmu)].map(([, port = '']) => Number.parseInt(port, 16));

/** The output of BSD's netstat: `tcp4 0 0 127.0.0.1.3000 *.* LISTEN`. */
export const portsInNetstat = (text: string): number[] =>
  [...text.matchAll(/^tcp\S*\s+\d+\s+\d+\s+\S+\.(\d+)\s.*LISTEN/gmu)].map(([, port = '']) => Number(port));
