import { expect, it } from 'vitest';
import { attentionOf } from '../../../src/crew/attention/attention.ts';
import { workerRecord } from '../../support/records.ts';
import { type Loose, launched, line, play } from '../../turn/turn-signals.ts';

it('each suggestion of the agent is shown whole', () => {
  const suggestions = Array.from({ length: 6 }, (_, index) => ({ rules: [{ tool: `tool ${index}` }] }));
  const asks: Loose = {
    from: 'hook',
    kind: 'permission',
    waitingFor: 'permission',
    tool: 'Bash',
    input: {},
    suggestions,
  };
  const [need] = attentionOf(workerRecord(), play([launched, line(), asks]), {
    attach: 'tmux attach',
    requestPath: (id) => id,
    allows: () => undefined,
    moved: undefined,
  });
  expect(need?.suggestions).toEqual(suggestions);
});
