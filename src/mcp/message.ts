// One line of the protocol as a message, or the error that answers it.
import { z } from 'zod';

/** Of JSON-RPC, and the last one of MCP. */
export const rpcCodes = {
  parse: -32_700,
  invalidRequest: -32_600,
  invalidParams: -32_602,
  internal: -32_603,
  resourceNotFound: -32_002,
} as const;

export type Id = string | number | null;

const request = z.looseObject({ id: z.union([z.string(), z.int()]), method: z.string() });

type Parsed<M> =
  | { readonly message: M; readonly error?: undefined }
  | {
      readonly message?: undefined;
      readonly error: { readonly code: number; readonly words: string; readonly id: Id };
    };

/** Whoever asked under an id is answered under it, also where the rest of the request is malformed. */
export function parseMessage<M>(text: string, accept: (json: unknown) => M | undefined): Parsed<M> {
  const words = 'That line was not a JSON-RPC message.';
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { error: { code: rpcCodes.parse, words, id: null } };
  }
  const message = accept(json);
  if (message !== undefined) return { message };
  const asked = request.safeParse(json).data;
  if (asked === undefined) return { error: { code: rpcCodes.invalidRequest, words, id: null } };
  const why = `The params of ${asked.method} are malformed.`;
  return { error: { code: rpcCodes.invalidParams, words: why, id: asked.id } };
}
