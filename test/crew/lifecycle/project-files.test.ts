// The project's own agent files of a sandboxed worker: which load, what goes along, and what is said of it.
import { expect, test } from 'vitest';
import { type ProjectLook, standOf } from '../../../src/crew/lifecycle/project-files.ts';
import { mapRules, noRules } from '../../../src/model/rule.ts';
import type { ProjectFile } from '../../../src/settings/project-file.ts';

const file = (path: string, text = ''): ProjectFile => ({
  file: `/repo/${path}`,
  place: `/repo/${path}`,
  held: { is: 'read', text, sha256: text },
});
const settings = file('.claude/settings.json', 'Bash(a *)');
const servers = file('.mcp.json');
const local = file('.claude/settings.local.json', 'Bash(b *)');
const strictRulesIn = (text: string) => mapRules((list) => (list === 'deny' && text !== '' ? [text] : []));
const look = (more: Partial<ProjectLook>): ProjectLook => ({
  ...{ mode: 'trusted', project: '/repo', files: [], waiting: [], tracked: [], strictRulesIn },
  ...more,
});
const denied = (...deny: string[]) => ({ ...noRules, deny });

const rows: readonly (readonly [string, Partial<ProjectLook>, object])[] = [
  ['no such file changes nothing', {}, { holes: [], leftOut: undefined }],
  [
    'an unread file is left out, and what it denies goes along',
    { files: [settings, servers], waiting: [servers] },
    { holes: [], leftOut: { sources: ['project'], rules: denied('Bash(a *)') } },
  ],
  [
    'an agreed file loads, as a hole that was wished',
    { files: [settings] },
    { leftOut: undefined, holes: [{ isWished: true }] },
  ],
  [
    'off leaves an agreed file out, and the wall stays whole',
    { mode: 'off', files: [settings] },
    { holes: [], leftOut: { sources: ['project'] }, warning: undefined },
  ],
  [
    'agent lets an unread file load, as a hole that was wished',
    { mode: 'agent', files: [settings], waiting: [settings], tracked: [local] },
    { leftOut: undefined, holes: [{ isWished: true }], warning: undefined },
  ],
  [
    "settings that are the user's by name and tracked by git are left out beside an agreed file",
    { files: [settings], tracked: [local] },
    { leftOut: { sources: ['local'], rules: denied('Bash(b *)') }, holes: [{ isWished: true }] },
  ],
  [
    'both are left out where nobody agreed',
    { files: [settings], waiting: [settings], tracked: [local] },
    { leftOut: { sources: ['project', 'local'], rules: denied('Bash(a *)', 'Bash(b *)') }, holes: [] },
  ],
  [
    'an agent that loads them whatever is asked has a hole that nobody wished',
    { strictRulesIn: undefined, files: [settings], waiting: [settings] },
    { leftOut: undefined, holes: [{ isWished: false }] },
  ],
  [
    'so it has with off',
    { mode: 'off', strictRulesIn: undefined, files: [settings] },
    { holes: [{ isWished: false }] },
  ],
  [
    'and a wished one once a person agreed',
    { strictRulesIn: undefined, files: [settings] },
    { holes: [{ isWished: true }] },
  ],
];
test.each(rows)('%s', (_, more, expected) => {
  expect({ leftOut: undefined, warning: undefined, ...standOf(look(more)) }).toMatchObject(expected);
});

test('a person is told which files nobody agreed to, and what to run where', () => {
  const files = [settings, servers];
  expect(standOf(look({ files, waiting: files, tracked: [local] })).warning).toBe(
    'Sandboxed workers start without .claude/settings.json, .mcp.json, since nobody has agreed to that. A person reads it, then runs `crewmux trust` in /repo. Sandboxed workers start without .claude/settings.local.json, since git tracks it.',
  );
});

test('a file name of the repository obeys no terminal', () => {
  const odd = file('.claude/skills/\u001b[2J/SKILL.md');
  expect(standOf(look({ files: [odd], waiting: [odd] })).warning).toContain(
    'without ".claude/skills/\\u001b[2J/SKILL.md"',
  );
});
