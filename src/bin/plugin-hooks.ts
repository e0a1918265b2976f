// The plugin's hooks.json. The build fills the text.

export const pluginHooks: string = '';
