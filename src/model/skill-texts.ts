// Each SKILL.md of the plugin by its name. The build fills the record.

export const skillTexts: Readonly<Record<string, string>> = {};
