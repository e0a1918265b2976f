// Identifiers and how they are minted.
import { customAlphabet } from 'nanoid';

/** Eight lower-case hex digits; the `session_id` of the wire. */
export type WorkerId = string & { readonly brand: 'WorkerId' };

const letter = customAlphabet('abcdef', 1);
const hex7 = customAlphabet('0123456789abcdef', 7);
/** Begins with a letter: digits alone are a number to a model, and go first among the keys of an object. */
const hex = (): string => letter() + hex7();
const hex32 = customAlphabet('0123456789abcdef', 32);

/** Mints a worker id; 30 bits, so the caller checks it against the ones it knows. */
export const newWorkerId = (): WorkerId => hex() as WorkerId;

export const isWorkerId = (text: string): text is WorkerId => /^[0-9a-f]{8}$/.test(text);

/** A random version-4 UUID, the form every agent CLI takes for a conversation id. */
export function newUuid(): string {
  const h = hex32();
  const variant = '89ab'.charAt(Number.parseInt(h.charAt(16), 16) % 4);
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-${variant}${h.slice(17, 20)}-${h.slice(20)}`;
}

export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** A random token that nobody guesses. */
export const newToken = (): string => `${hex32()}${hex32()}`;

/** A short random suffix for temporary names that must not collide. */
export const newNonce = (): string => hex();
