import type { CallContext, Crew } from './api.ts';
import type { House } from './house.ts';

export async function trackerHelp(
  _house: House,
  _request: { readonly project_path?: string },
  _call: CallContext,
): ReturnType<Crew['trackerHelp']> {
  return { tracker: null, cli: null, help: 'none', quick_commands: {}, worker_tip: '' };
}
