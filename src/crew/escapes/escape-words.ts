// How to speak of changes nobody can be sure who made. Pure.
import { quote } from '../../model/quote.ts';

export function escapeDetail(facts: {
  readonly checkout: string;
  readonly names: readonly string[];
  readonly tool: string | undefined;
}): string {
  const { checkout, names, tool } = facts;
  const who = new Intl.ListFormat('en').format(names);
  const how = tool === undefined ? 'who made them is not known' : `a ${tool} call of ${who} names the place`;
  return `Changes appeared in the main checkout while ${who} worked; ${how}. crewmux left them as they are. Look with: git -C ${quote(checkout)} status`;
}
