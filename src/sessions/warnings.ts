// What a look could not read, in words. Pure.
import type { AgentSessions } from '../agents/agent-sessions.ts';
import { counted } from '../model/plural.ts';
import type { TranscriptFile } from './transcripts.ts';

export interface Trouble {
  readonly agent: Pick<AgentSessions, 'type' | 'tested'>;
  readonly transcripts: readonly Pick<TranscriptFile, 'path' | 'endsTorn' | 'facts'>[];
  readonly unread: readonly string[];
  readonly odd: number;
}

export function warningsOf({ agent, transcripts, unread, odd }: Trouble): readonly string[] {
  const { type, tested } = agent;
  const torn = transcripts.filter(({ endsTorn }) => endsTorn);
  const broken = transcripts.filter(({ facts }) => facts.unreadLines > 0);
  const newer = transcripts.filter(({ facts }) => isNewer(facts.version, tested?.testedTo));
  const versions = [...new Set(newer.map(({ facts }) => facts.version))].join(', ');
  const of = (paths: readonly string[]) => `such as ${paths[0]}`;
  return [
    ...(unread.length === 0 ? [] : [`${type}: ${counted(unread.length, 'file')} could not be read, ${of(unread)}`]),
    ...(torn.length === 0
      ? []
      : [`${type}: ${counted(torn.length, 'transcript')} with half a line at the end, left out`]),
    ...(broken.length === 0
      ? []
      : [
          `${type}: ${counted(broken.length, 'transcript')} with lines that are no JSON, ${of(broken.map(({ path }) => path))}`,
        ]),
    ...(newer.length === 0
      ? []
      : [`${type}: ${counted(newer.length, 'transcript')} of version ${versions}; tested up to ${tested?.testedTo}`]),
    ...(odd === 0 ? [] : [`${type}: ${counted(odd, 'state file')} of an unknown form`]),
  ];
}

const numbers = (version: string): readonly number[] =>
  version.split('.').map((part) => Number.parseInt(part, 10) || 0);

/** A version that is no number is an unknown one. */
function isNewer(version: string | undefined, tested: string | undefined): boolean {
  if (version === undefined || tested === undefined) return false;
  if (!/^\d/.test(version)) return true;
  const [ours, theirs] = [numbers(tested), numbers(version)];
  const at = theirs.findIndex((part, index) => part !== (ours[index] ?? 0));
  return at >= 0 && (theirs[at] ?? 0) > (ours[at] ?? 0);
}
