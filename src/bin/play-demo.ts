// `crewmux demo`, in the process that it was started as.
import type { CommandWorld } from '../cli/world.ts';
import { demo } from '../demo/demo.ts';

interface Stage extends Pick<CommandWorld, 'write' | 'complain'> {
  readonly host: Pick<NodeJS.Process, 'stdin' | 'stdout' | 'on' | 'env' | 'execPath'>;
  readonly bundle: string;
  readonly tmp: string;
}

export async function playDemo(
  { keep, stay: stays }: Parameters<CommandWorld['playDemo']>[0],
  { host, write, complain, bundle, tmp }: Stage,
): Promise<number> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) host.on(signal, () => stop.abort());
  host.stdout.on('error', () => stop.abort());
  const path = host.env.PATH ?? '/usr/bin:/bin';
  const until = () => pressedEnter(host.stdin, stop.signal);
  const stage = { write, complain, node: host.execPath, bundle, path, tmp, stop: stop.signal };
  const code = await demo({ ...stage, stays, ...((keep || stays) && { until }) });
  host.stdin.pause();
  return code;
}

const pressedEnter = (input: NodeJS.ReadStream, stop: AbortSignal) =>
  new Promise<void>((resolve) => {
    for (const event of ['data', 'end']) input.once(event, () => resolve());
    stop.addEventListener('abort', () => resolve());
    input.resume();
  });
