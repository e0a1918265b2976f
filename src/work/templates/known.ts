// The templates that count: the first of each name, those that are built in last. Pure.
import { CrewError } from '../../model/errors.ts';
import { nearest } from '../../model/nearest.ts';
import { digestOf } from '../../system/digest.ts';
import { builtInTemplates } from './built-in.ts';
import { readTemplate, type Template } from './template.ts';

/** What lies in folders: files that may be templates, and those that do not count, with the way out. */
export interface TemplateSource {
  readonly files: readonly {
    readonly name: string;
    readonly file: string;
    readonly sha256: string;
    readonly value: unknown;
  }[];
  readonly aside: readonly AsideTemplate[];
}

export interface AsideTemplate {
  readonly file: string;
  readonly name: string;
  readonly why: string;
}

export interface KnownTemplate {
  readonly template: Template;
  /** `built in`, or its file. */
  readonly source: string;
  readonly sha256: string;
}

export interface KnownTemplates {
  readonly templates: readonly KnownTemplate[];
  readonly aside: readonly AsideTemplate[];
}

export function knownTemplates({ files, aside }: TemplateSource): KnownTemplates {
  const read = files.map(({ name, file, sha256, value }): KnownTemplate | AsideTemplate => {
    const said = readTemplate(value, name);
    if ('template' in said) return { template: said.template, source: file, sha256 };
    return { file, name, why: `${file} is left aside as a whole: ${said.fault}.` };
  });
  const found = [...read.flatMap((one) => ('template' in one ? [one] : [])), ...builtIn];
  const names = [...new Set(found.map(({ template }) => template.name))];
  return {
    templates: names.flatMap((name) => found.find(({ template }) => template.name === name) ?? []),
    aside: [...aside, ...read.flatMap((one) => ('why' in one ? [one] : []))],
  };
}

const builtIn: readonly KnownTemplate[] = builtInTemplates.map((template) => ({
  template,
  source: 'built in',
  sha256: digestOf(JSON.stringify({ ...template, params: [...template.params] })),
}));

export interface ChosenTemplate extends KnownTemplate {
  /** Files of its name that do not count. */
  readonly warnings: readonly string[];
}

/** Throws `invalid_argument` with the names there are, or with why a file of that name does not count. */
export function chooseTemplate({ templates, aside }: KnownTemplates, name: string): ChosenTemplate {
  const warnings = aside.filter((one) => one.name === name).map(({ why }) => why);
  const chosen = templates.find(({ template }) => template.name === name);
  if (chosen !== undefined) return { ...chosen, warnings };
  const names = templates.map(({ template }) => template.name);
  const close = nearest(name, names);
  throw new CrewError(
    'invalid_argument',
    `There is no template ${JSON.stringify(name)}.${warnings.map((why) => ` ${why}`).join('')}`,
    `${close === undefined ? '' : `Did you mean "${close}"? `}Templates: ${names.join(', ')}.`,
  );
}
