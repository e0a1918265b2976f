import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findTemplateFiles } from '../../src/settings/templates.ts';
import { readYaml, writeYaml } from '../../src/settings/yaml.ts';
import { chooseTemplate, knownTemplates } from '../../src/work/templates/known.ts';
import { type } from '../cli/typed-line.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
let project: string;
beforeEach(() => {
  sandbox = makeSandbox();
  project = sandbox.dir('project');
});
afterEach(() => sandbox.dispose());

const text = (name: string, prompt: string) =>
  `name: ${name}\ndescription: A shop.\njobs:\n  - name: build\n    prompt: ${prompt}\n`;

/** A path below the project, or below the home folder where it begins with `~`. */
function put(path: string, held: string): string {
  const at = path.startsWith('~/') ? join(sandbox.home, path.slice(2)) : join(project, path);
  mkdirSync(dirname(at), { recursive: true });
  writeFileSync(at, held);
  return at;
}

const world = () => ({ env: { CREWMUX_HOME: join(sandbox.root, 'state') }, userHome: sandbox.home });
const trust = (...words: string[]) =>
  type(['trust', ...words], { ...world(), cwd: project, projectFolders: async () => [project] });
const known = () => knownTemplates(findTemplateFiles({ ...world(), folders: [project] }));
const chosen = (name = 'shop') => chooseTemplate(known(), name);
const refusal = (name: string) => {
  try {
    return chosen(name).source;
  } catch (error) {
    return String(error);
  }
};

it('without any file the built-in templates are there, and another is refused with their names', () => {
  expect(known()).toMatchObject({ templates: [{}, {}, {}, {}], aside: [] });
  expect(refusal('bug-fixx')).toMatch(/There is no template "bug-fixx"\./);
  expect(() => chosen('bug-fixx')).toThrow(
    expect.objectContaining({
      hint: 'Did you mean "bug-fix"? Templates: code-review, feature-development, bug-fix, code-refactoring.',
    }),
  );
});

it("a project's file counts once a person has agreed, before the user's, and before what is built in", async () => {
  const ours = put('.crewmux/plans/bug-fix.yaml', text('bug-fix', 'ours'));
  put('.crewmux/plans/deep/bug-fix.yaml', text('bug-fix', 'deep'));
  const mine = put('~/.config/crewmux/plans/bug-fix.yaml', text('bug-fix', 'mine'));
  const waiting = `Nobody has agreed to ${ours}, so crewmux leaves this template aside. A person reads the file, then runs \`crewmux trust\` in ${project}.`;
  expect(chosen('bug-fix')).toMatchObject({ source: mine, warnings: [waiting] });
  const { out } = await trust('--yes');
  expect(out).toContain(`${ours} (sha256 `);
  expect(out).toContain(') says what workers of a plan are told, and how they start:\n  name: bug-fix\n');
  expect(chosen('bug-fix')).toMatchObject({ source: ours, warnings: [] });
  put('.crewmux/plans/bug-fix.yaml', text('bug-fix', 'other'));
  expect(chosen('bug-fix').warnings).toEqual([expect.stringContaining('has changed since a person agreed')]);
  await trust('--yes');
  expect(chosen('bug-fix').source).toBe(ours);
  await trust('--revoke');
  expect(chosen('bug-fix').source).toBe(mine);
});

it('a file with a fault is left aside as a whole, by its name and with what is wrong', async () => {
  const torn = put('~/.config/crewmux/plans/torn.yaml', 'name: [torn');
  const odd = put('~/.config/crewmux/plans/odd.yaml', text('even', 'x'));
  expect(refusal('torn')).toContain(`${torn} is left aside as a whole: it is no YAML (`);
  expect(refusal('odd')).toContain(`${odd} is left aside as a whole: its name is "even"`);
  symlinkSync(odd, join(dirname(put('.crewmux/plans/a.yaml', 'x')), 'link.yaml'));
  await trust('--yes');
  expect(refusal('link')).toContain('is a symbolic link');
});

it('what is written is read as it was', () => {
  const value = { a: 'Line one: {{goal}}\n  "two"\n\n- three  \n', b: ['no', '1', 'null', '&x', ' x'], c: 5, d: '#' };
  expect(readYaml(writeYaml(value))).toEqual({ value });
});
