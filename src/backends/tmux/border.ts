// The border of a pane for a person: name, annotation and status, in the worker's colour.
import type { PaneLabel } from '../terminal.ts';

/** Marks that hold the label; the border reads them from the pane itself. */
export const labelMarks = (label: PaneLabel): Readonly<Record<string, string>> => ({
  name: label.name,
  annotation: label.annotation,
  status: label.status,
  colour: isColour(label.colour) ? label.colour : 'default',
  alarm: label.alarm === true ? '1' : '',
});

const isColour = (text: string): boolean => /^(colour\d{1,3}|[a-z]+|#[0-9a-fA-F]{6})$/.test(text);

// tmux does not expand the value of an option again, but it reads `#[...]` in what it draws: q/h takes that power away.
const words = (mark: string): string => `#{q/h:@crewmux_${mark}}`;
const ifAny = (mark: string, before: string): string => `#{?#{@crewmux_${mark}},${before}${words(mark)},}`;

export const borderFormat = [
  '#{?#{@crewmux_name}, ',
  `#[fg=#{@crewmux_colour}#,bold]${words('name')}#[default]`,
  ifAny('annotation', ' · '),
  ifAny('status', ' · '),
  ' ,}',
  '#{?pane_dead, ended#{?#{pane_dead_status}, with #{pane_dead_status},}#{?#{pane_dead_signal}, by signal #{pane_dead_signal},} ,}',
].join('');

/** Windows are called by the workers in them. */
export const automaticNameFormat = `#{P:#{?#{@crewmux_name},${words('name')} ,}}`;

// tmux renames a window only when its active pane prints; the status line must not wait for that.
const markedNames = `#{P:#{?#{@crewmux_name},#{?#{@crewmux_alarm},#[fg=red#,bold]!,}${words('name')}#[default] ,}}`;
export const windowFormat = `#I:#{?#{==:${automaticNameFormat},},#W,${markedNames}}`;

/** Our clients attach to the keeper: without a client nothing updates the borders. */
export const watchFormat = (keeper: string): string =>
  `#{?#{==:#{S:#{?#{==:#{session_name},${keeper}},#{session_attached},}},0},#[reverse] no crewmux at work: this may be old #[default],}`;

const needy = `#{n;W:#{P:#{?#{@crewmux_alarm},x,}}}`;
const isWide = '#{m/r:^(1[2-9]|[2-9].).$,#{client_width}}';
const crewName = ' crewmux #{session_name} ';

/** Who needs somebody comes first, with the key that answers; below 120 columns the rest makes room for it. Pure. */
export function newsFormat(answerKey: string | undefined): string {
  const key = answerKey === undefined ? '' : ` · #{prefix} ${answerKey.replace(/[#,}]/g, '#$&')}`;
  const news = `#[bg=red#,fg=white#,bold] ! ${needy} need#{?#{==:${needy},1},s,} you${key} #[default]`;
  return `#{?#{==:${needy},0},${crewName},${news}#{?${isWide},${crewName},}}`;
}

export const onlyWide = (format: string): string => `#{?${isWide},${format.replaceAll(',', '#,')},}`;
