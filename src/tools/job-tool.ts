// A tool that needs tasks and plans besides the crew.

import { CrewError } from '../model/errors.ts';
import type { Workshop } from '../work/api.ts';
import { spokenToolMaker } from './tool.ts';

export const defineTool = spokenToolMaker<Workshop>();

/** Refuses a call that gives several of these arguments. */
export function atMostOne(given: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(given);
  const held = names.filter((name) => given[name] !== undefined);
  if (held.length > 1) throw refusal(`${held.join(' and ')} are given, and they exclude each other`, names);
}

/** Refuses a call that gives none of these arguments, or several. */
export function exactlyOne(given: Readonly<Record<string, unknown>>): void {
  atMostOne(given);
  const names = Object.keys(given);
  if (names.every((name) => given[name] === undefined)) throw refusal(`${names.join(' or ')} is missing`, names);
}

const refusal = (what: string, names: readonly string[]): CrewError =>
  new CrewError('invalid_argument', `${what}.`, `Pass one of ${names.join(', ')}.`);
