// What it takes to live through a week of schedules in which everything goes wrong, with the clock as a parameter.
import { begin, hour, Machine, minute, scheduleOf } from '../test/work/rhythm/machine.ts';
import type { Row } from './measure.ts';

const rounds = 5;

export async function measureWeek(): Promise<Row[]> {
  const samples: number[] = [];
  let runs = 0;
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    runs = (await new Machine(week).run()).entries.length;
    const { user, system } = process.cpuUsage(before);
    samples.push((user + system) / 1_000);
  }
  const what = 'a week of three schedules with sleep, summer time, two servers that are killed and a full disk';
  return [{ what, unit: 'ms of a core', samples, target: { p50: 1_000 }, note: `${runs} runs` }];
}

const span = (from: number, hours: number) => ({ from: begin + from * hour, to: begin + (from + hours) * hour });

const week = {
  schedules: [scheduleOf('a', '*/40 * * * *'), scheduleOf('b', '30 2 * * *'), scheduleOf('c', '0 9 * * 1-5')],
  takesMs: 30 * minute,
  isAsleep: [span(10, 6), span(80, 30)],
  isFull: [span(40, 4)],
  kills: new Map([...Array(20).keys()].map((at) => [at * 7, at % 2 === 0 ? 'before' : 'after'] as const)),
};
