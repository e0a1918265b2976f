import { describe, expect, it } from 'vitest';
import type { Ground, Policy } from '../../src/model/permission.ts';
import { ruleOn } from '../../src/model/permission-ruling.ts';

const ground: Ground = {
  root: '/place/tree',
  userHome: '/home/ada',
  real: (path) => path.replace(/^\/place\/link/, '/place/tree'),
};
const layer = (rules: Partial<Policy[number]>): Policy[number] => ({
  scope: 'default',
  allow: [],
  confirm: [],
  deny: [],
  ...rules,
});
const decide = (policy: Policy, tool: string, more: object = {}) =>
  ruleOn(policy, { tool, cwd: '/place/tree', ...more }, ground).decision;

describe('layers', () => {
  it('a deny of the weakest layer outweighs an allow of the strongest', () => {
    const policy = [layer({ scope: 'worker:a', allow: ['*'] }), layer({ deny: ['WebSearch'] })];
    expect(decide(policy, 'WebSearch')).toBe('deny');
    expect(decide(policy, 'Task')).toBe('allow');
  });

  it('the strongest layer in which a rule fits decides, and in it an allow before a confirm', () => {
    const strong = layer({ scope: 'worker:a', confirm: ['WebSearch'] });
    expect(decide([strong, layer({ allow: ['WebSearch'] })], 'WebSearch')).toBe('confirm');
    expect(decide([layer({ allow: ['WebSearch'], confirm: ['*'] })], 'WebSearch')).toBe('allow');
  });

  it('what no rule is about is put to somebody, and no rule is named', () => {
    expect(ruleOn([], { tool: 'Bash', cwd: '/', command: 'ls' }, ground)).toMatchObject({ decision: 'confirm' });
    expect(ruleOn([], { tool: 'Bash', cwd: '/', command: 'ls' }, ground).by).toBeUndefined();
  });
});
