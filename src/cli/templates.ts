// `crewmux templates`: the templates of plans as they count here, where each comes from, and what is left aside.
import { plainJson } from '../model/plain-text.ts';
import type { KnownTemplate, KnownTemplates } from '../work/api.ts';
import { shown } from './trust.ts';

/** Returns what is to be written. Pure. */
export const templatesText = (found: KnownTemplates, { json }: { readonly json: boolean }): string =>
  json ? plainJson(asJson(found)) : `${report(found)}\n`;

const asJson = ({ templates, aside }: KnownTemplates) => ({
  templates: templates.map(({ template: { name, description, params, jobs }, source, sha256 }) => ({
    ...{ name, description, params: Object.fromEntries(params) },
    jobs: jobs.map((one) => ({ name: one.name, role: one.role, depends_on: one.dependsOn })),
    ...{ source, sha256 },
  })),
  left_aside: aside,
});

function report({ templates, aside }: KnownTemplates): string {
  const width = Math.max(...templates.map(({ template }) => template.name.length));
  const left = aside.map(({ name, why }) => `  ${shown(name)}: ${shown(why)}`);
  return [
    ...templates.flatMap((one) => [`${one.template.name.padEnd(width)}  ${shown(one.source)}`, ...details(one)]),
    ...(left.length === 0 ? [] : ['', 'Left aside:', ...left]),
  ].join('\n');
}

function details({ template: { description, params, jobs } }: KnownTemplate): readonly string[] {
  const asked = [...params].map(([name, { required }]) => (required ? `${name} (required)` : name));
  return [
    description,
    `jobs: ${jobs.map(({ name }) => name).join(', ')}`,
    ...(asked.length === 0 ? [] : [`params: ${asked.join(', ')}`]),
  ].map((line) => `  ${shown(line)}`);
}
