// What only a person may let happen, whatever the rules say.
import type { Ground } from '../permission.ts';
import { below, whereabouts } from '../place.ts';
import { type Command, shownText, type Word } from '../shell/script.ts';
import { meant, namesIn, type Spot } from '../shell/spot.ts';
import { programOf } from '../shell/unwrap.ts';
import {
  handsOutCredentials,
  holdsHome,
  isCredential,
  namesCredential,
  namesCredentialInText,
  takesHome,
} from './credentials.ts';
import { deletesByText, deletion } from './deletion.ts';
import { rewriting } from './history.ts';
import { runsDownload, wipesDisk } from './machine.ts';

/** Undefined for a command that may be left to rules. */
export function catastropheOf(command: Command, spot: Spot, earlier: readonly Command[]): string | undefined {
  const words = [
    ...command.words,
    ...command.redirects.map(({ target }) => target),
    ...command.assignments.map(({ value }) => value),
  ];
  return (
    deletion(command, spot) ??
    rewriting(command) ??
    wipesDisk(command) ??
    runsDownload(command, earlier) ??
    handsOutCredentials(command) ??
    takesHome(command, spot) ??
    firstOf(words, (word) => namesCredential(word, spot) ?? namesState(word, spot)) ??
    byProgramText(command)
  );
}

function firstOf(words: readonly Word[], find: (word: Word) => string | undefined): string | undefined {
  for (const word of words) {
    const found = find(word);
    if (found !== undefined) return found;
  }
  return undefined;
}

function namesState(word: Word, spot: Spot): string | undefined {
  const { stateHome, root } = spot.ground;
  if (stateHome === undefined || below(stateHome, root) !== undefined) return undefined;
  const isOurs = namesIn(word).some((name) =>
    meant(name, spot)?.places.some(({ every }) => every.some((path) => below(stateHome, path) !== undefined)),
  );
  return isOurs ? `it names ${shownText(word)}, where crewmux keeps its rules and state` : undefined;
}

const interpreters = /^(python[\d.]*|node|nodejs|deno|bun|perl|ruby|php|lua|osascript)$/;

/** A program written into the line, or handed to an interpreter as text. */
function byProgramText(command: Command): string | undefined {
  if (!interpreters.test(programOf(command) ?? '')) return undefined;
  const texts = [...command.words.slice(1).map(shownText), ...command.given.map(({ text }) => text)];
  if (texts.some(deletesByText)) return 'its program text deletes folders, and nobody knows which';
  return texts.some(namesCredentialInText) ? 'its program text names places where credentials are kept' : undefined;
}

/** The same of a line that cannot be told apart: by what stands in it. */
export function suspicionOf(text: string): string | undefined {
  if (/\brm\s+(-\S+\s+)*-\w*[rR]|\brm\s+--r|-delete\b|\brimraf\b/.test(text))
    return 'it deletes folders, and cannot be told apart';
  if (/\bpush\b[\s\S]*(--force|--mirror|--delete|\s-\w*f\b|\s\+)|filter-branch|filter-repo/.test(text))
    return 'it rewrites history, and cannot be told apart';
  if (/\b(curl|wget)\b[\s\S]*\b(ba|z|da|k)?sh\b/.test(text)) return 'it may run what it downloads';
  if (/\bmkfs|\bof=\/dev\/|>\s*\/dev\/(sd|nvme|disk|vd|hd|mmc)/.test(text)) return 'it changes a disk itself';
  return namesCredentialInText(text) ? 'it names places where credentials are kept' : undefined;
}

/** The same of a tool that names files itself. */
export function catastropheOfPath(
  act: { readonly tool: string; readonly path: string; readonly cwd: string },
  ground: Ground,
): string | undefined {
  const { every } = whereabouts(act.path, { ...ground, cwd: act.cwd });
  if (every.some((path) => isCredential(path, ground))) return `${act.path} is where credentials are kept`;
  const { stateHome, root } = ground;
  const isOurs =
    stateHome !== undefined &&
    below(stateHome, root) === undefined &&
    every.some((path) => below(stateHome, path) !== undefined);
  if (isOurs) return `${act.path} is where crewmux keeps its rules and state`;
  if (every.some((path) => /^\/dev\/(?!null$)/.test(path))) return `${act.path} is a device`;
  if (act.tool === 'Grep' && every.some((path) => holdsHome(path, ground) && below(path, root) !== path)) {
    return `${act.path} holds a whole home, credentials and all`;
  }
  return undefined;
}
