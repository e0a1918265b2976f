// Counts what a worker uses: from its transcripts, those of its subagents, and what its agent tells a status line.
import { statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Agent, DecodedLine } from '../../agents/agent.ts';
import { followDir } from '../../jsonl/folder.ts';
import { GrowingFile, type LinesAt } from '../../jsonl/growing-file.ts';
import { onSweep } from '../../jsonl/sweep.ts';
import { watchFolder } from '../../jsonl/tail.ts';
import type { Clock, Disposer } from '../../model/clock.ts';
import { fieldsOf, isFields } from '../../model/json.ts';
import type { LaunchRecord, WorkerRecord } from '../../model/worker.ts';
import { statusLinePath } from '../../store/launch-place.ts';
import { readHeldSync, writeUnsynced } from '../../system/atomic.ts';
import { unlessMissing } from '../../system/disk.ts';
import { oneAtATime } from '../../system/pace.ts';
import { emptyLedger, type Ledger, saysUsage, type UsageLine, withLine, withTold } from '../../usage/ledger.ts';

/** In the worker's own folder, so that every launch goes on in it. */
const ledgerPathOf = ({ dir }: Pick<LaunchRecord, 'dir'>): string => join(dirname(dirname(dir)), 'usage.json');

/** From when on a worker's conversation counts as its own; that of an adopted one always was. */
const usedSince = ({ source, createdAt }: Pick<WorkerRecord, 'source' | 'createdAt'>): number =>
  source === 'adopted' ? 0 : createdAt;

interface SpendingParts {
  readonly agent: Agent;
  readonly clock: Clock;
  readonly onTrouble: (error: unknown) => void;
}

/** Tells one writing of a file from the next. */
interface Written {
  readonly at: number;
  readonly inode: number;
}

export class Spending {
  readonly #parts: SpendingParts;
  readonly #launch: LaunchRecord;
  readonly #since: number;
  #ledger: Ledger;
  /** As it stands on the disk. */
  #kept: Ledger;
  /** How far each transcript was handed here; a second reading of one begins before that again. */
  readonly #handed = new Map<string, number>();
  #subagentsDir: string | undefined;
  #subagents: { close(): void } | undefined;
  #told: Written | undefined;
  /** What the agent told in its transcript before it told a figure is in that figure. */
  #before: () => Promise<void> = async () => undefined;
  readonly #listeners = new Set<() => void>();
  readonly #stops: Disposer[] = [];
  readonly #look: () => Promise<void>;

  constructor(record: WorkerRecord, parts: SpendingParts) {
    this.#parts = parts;
    this.#launch = record.launch;
    this.#since = usedSince(record);
    this.#ledger = readLedger(record.launch) ?? emptyLedger;
    this.#kept = this.#ledger;
    this.#look = oneAtATime(async () => {
      await this.#readSubagents();
      await this.#readStatus();
    });
  }

  /** Watches what the agent tells; `before` reads the transcript to its end. */
  begin(before: () => Promise<void>): void {
    this.#before = before;
    if (this.#parts.agent.statusLine === undefined) return;
    const { clock, onTrouble } = this.#parts;
    const name = basename(statusLinePath(this.#launch.dir));
    const look = () => {
      if (this.#isTold()) void this.#look().catch(onTrouble);
    };
    this.#stops.push(
      watchFolder(this.#launch.dir, clock, (changed) => (changed === undefined || changed === name) && look()),
      onSweep(clock, look),
    );
  }

  /** Called after each change that no line of the transcript itself has made. */
  onChange(listen: () => void): void {
    this.#listeners.add(listen);
  }

  get ledger(): Ledger {
    return this.#ledger;
  }

  /** Follows the subagents of this transcript from now on, in place of another's. */
  follow(transcript: string): void {
    const dir = this.#parts.agent.subagents?.dirOf(transcript);
    this.#handed.delete(transcript);
    this.#subagents?.close();
    this.#subagents = undefined;
    this.#subagentsDir = dir;
    if (dir === undefined) return;
    const { clock, onTrouble } = this.#parts;
    const onChange = () => void this.#look().catch(onTrouble);
    this.#subagents = followDir(dir, { clock, onTrouble, onChange });
  }

  /** Counts lines of a transcript that end at this byte; those that were counted before are passed over. */
  take(file: string, { lines, texts }: HandedLines, { offset, restarted }: LinesAt): void {
    const known = restarted ? 0 : (this.#ledger.files[file]?.at ?? 0);
    const isNext = !restarted && (this.#handed.get(file) ?? -1) === known;
    this.#handed.set(file, offset);
    if (offset <= known && !restarted) return;
    const fresh = isNext ? lines : lines.slice(passedOver(texts, { known, offset }));
    this.#count(file, fresh, basename(file, '.jsonl'));
    this.#mark(file, offset);
  }

  /** Reads what the agent and its subagents have told up to now. */
  drain(): Promise<void> {
    return this.#look();
  }

  /** Puts the ledger on the disk; a crash may lose what the files then tell again. */
  async keep(): Promise<void> {
    if (this.#kept === this.#ledger) return;
    this.#kept = this.#ledger;
    await writeUnsynced(ledgerPathOf(this.#launch), JSON.stringify(this.#kept));
  }

  close(): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.#subagents?.close();
    this.#subagents = undefined;
  }

  /** Counts what came while nobody followed the worker. */
  async catchUp(): Promise<void> {
    const { agent } = this.#parts;
    const path = this.#launch.transcriptPath;
    if (path !== '') {
      const from = this.#ledger.files[path]?.at ?? 0;
      this.#handed.set(path, from);
      const file = new GrowingFile(path, from, (texts, at) =>
        this.take(path, { lines: texts.map((text) => agent.decodeLine(text)), texts }, at),
      );
      await file.readNew().finally(() => file.close());
      this.#subagentsDir = agent.subagents?.dirOf(path);
    }
    await this.#look();
  }

  #count(file: string, lines: readonly UsageLine[], conversation: string): void {
    for (const line of lines)
      if (saysUsage(line)) this.#ledger = withLine(this.#ledger, line, { file, conversation, since: this.#since });
  }

  #mark(file: string, at: number): void {
    const { files } = this.#ledger;
    this.#ledger = { ...this.#ledger, files: { ...files, [file]: { ...files[file], at } } };
  }

  async #readSubagents(): Promise<void> {
    const { subagents } = this.#parts.agent;
    const dir = this.#subagentsDir;
    if (subagents === undefined || dir === undefined) return;
    const names = (await unlessMissing(readdir(dir))) ?? [];
    for (const name of names.filter((one) => one.endsWith('.jsonl'))) {
      const path = join(dir, name);
      const from = this.#ledger.files[path]?.at ?? 0;
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= from) continue;
      const file = new GrowingFile(path, from, (lines, { offset }) => {
        this.#count(path, lines.map(subagents.decodeLine), path);
        this.#mark(path, offset);
      });
      await file.readNew().finally(() => file.close());
      this.#changed();
    }
  }

  async #readStatus(): Promise<void> {
    const { statusLine } = this.#parts.agent;
    const found = this.#isTold();
    if (statusLine === undefined || found === undefined) return;
    await this.#before();
    const path = statusLinePath(this.#launch.dir);
    const told = statusLine.decode((await unlessMissing(readFile(path, 'utf8'))) ?? '');
    this.#told = found;
    if (told === undefined) return;
    this.#ledger = withTold(this.#ledger, { ...told, at: found.at });
    this.#changed();
  }

  /** When the figures were written, where they are newer than those that were read. */
  #isTold(): Written | undefined {
    const found = statSync(statusLinePath(this.#launch.dir), { throwIfNoEntry: false });
    if (found === undefined || (this.#told?.at === found.mtimeMs && this.#told.inode === found.ino)) return undefined;
    return { at: found.mtimeMs, inode: found.ino };
  }

  #changed(): void {
    for (const listen of this.#listeners) listen();
  }
}

/** The same lines, decoded and as they stand. */
export interface HandedLines {
  readonly lines: readonly DecodedLine[];
  readonly texts: readonly string[];
}

/** How many of these lines, the last of which ends at `offset`, end at `known` or before. */
function passedOver(texts: readonly string[], { known, offset }: { readonly known: number; readonly offset: number }) {
  let end = offset;
  for (let at = texts.length; at > 0; at -= 1) {
    if (end <= known) return at;
    end -= Buffer.byteLength(texts[at - 1] ?? '') + 1;
  }
  return 0;
}

/** Undefined where there is none, or none of this version. */
export const readLedger = (launch: Pick<LaunchRecord, 'dir'>): Ledger | undefined =>
  readHeldSync(ledgerPathOf(launch), isLedger);

function isLedger(held: unknown): held is Ledger {
  const { v, days, files, told, toldAt } = fieldsOf(held);
  return v === 1 && typeof toldAt === 'number' && [days, files, told].every(isFields);
}
