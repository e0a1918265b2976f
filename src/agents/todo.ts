// Items of an agent's own list of what it has to do, in the forms that agents give them.
import { defined } from '../model/defined.ts';
import { type Fields, listOf, wordOf } from '../model/json.ts';
import { todoStates } from '../model/session-words.ts';
import type { Todo } from './agent-sessions.ts';

/** Undefined for what is no item, or is struck from the list. */
export function todoOf(item: Fields): Todo | undefined {
  const [subject] = [item.subject, item.content, item.step].flatMap((one) => wordOf(one) ?? []);
  const status = todoStates.find((one) => one === item.status);
  if (subject === undefined || status === undefined) return undefined;
  const blockedBy = listOf(item.blockedBy).flatMap((one) => wordOf(one) ?? []);
  return { subject, status, blockedBy, ...defined({ activeForm: wordOf(item.activeForm) }) };
}
