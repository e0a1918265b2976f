// Disks written past their file systems, and downloads handed to a shell.
import { type Command, literal, shownText } from '../shell/script.ts';
import { programOf } from '../shell/unwrap.ts';

const diskPrograms =
  /^(mkfs(\..*)?|mke2fs|mkswap|wipefs|fdisk|sfdisk|cfdisk|gdisk|sgdisk|parted|blkdiscard|hdparm|lvremove|vgremove|pvremove|cryptsetup|mdadm|badblocks|newfs.*|format)$/;

/** Neither a terminal nor a sink. */
const device = /^(?:of=)?\/dev\/(?!null$|zero$|u?random$|stdin$|stdout$|stderr$|tty$|fd\/\d+$|ptmx$|shm\/|tcp\/|udp\/)/;

/** Which disk would be written to, in words. */
export function wipesDisk(command: Command): string | undefined {
  const program = programOf(command) ?? '';
  const args = command.words.slice(1).map(shownText);
  if (diskPrograms.test(program)) return `${program} changes a disk itself`;
  if (program === 'diskutil' && /^(erase|partition|reformat|zero|secureerase|apfs)/i.test(args[0] ?? ''))
    return 'diskutil changes a disk itself';
  if (/^(zpool|zfs)$/.test(program) && /^(destroy|labelclear|rollback)$/.test(args[0] ?? ''))
    return `${program} drops a file system`;
  const writes = /^(dd|tee|cp|mv|shred|cat|install|truncate|pv|ddrescue|dcfldd)$/.test(program);
  const targets = [
    ...(writes ? args.filter((text) => program !== 'dd' || text.startsWith('of=')) : []),
    ...command.redirects.filter(({ op }) => op !== '<' && op !== '<&').map(({ target }) => shownText(target)),
  ];
  const disk = targets.find((text) => device.test(text));
  return disk === undefined ? undefined : `it writes to the device ${disk}`;
}

const downloads = /^(curl|wget|fetch|aria2c|http|https|xh|nc|ncat|netcat|socat|lynx|gh)$/;
const interpreters =
  /^(sh|bash|dash|zsh|ksh|ash|mksh|fish|python[\d.]*|node|deno|bun|perl|ruby|php|lua|pwsh|powershell|osascript|tclsh|source|\.|eval|xargs|parallel|env|sudo)$/;

/** A download that goes into a shell or another interpreter unseen. */
export function runsDownload(command: Command, earlier: readonly Command[]): string | undefined {
  const program = programOf(command);
  const isRunner = program !== undefined && (interpreters.test(program) || /^(bash|sh|zsh)$/.test(program));
  if (!isRunner && program !== undefined) return undefined;
  const source = [...command.within, ...(fed(command) ? earlier : [])].find((one) =>
    downloads.test(programOf(one) ?? ''),
  );
  return source === undefined ? undefined : `what ${programOf(source)} downloads is run unseen`;
}

/** Nothing in its words says that it runs something else than what it reads. */
function fed({ words, feeders }: Command): boolean {
  if (feeders.length === 0) return false;
  const operands = words.slice(1).filter((word) => !/^-/.test(literal(word) ?? ''));
  const program = programOf({ words }) ?? '';
  if (/^(xargs|parallel|env|sudo)$/.test(program))
    return operands.some((word) => interpreters.test(literal(word)?.replace(/^.*\//, '') ?? ''));
  return operands.length === 0 || words.some((word) => /^-s$|^-$|^\/dev\/stdin$/.test(literal(word) ?? ''));
}
