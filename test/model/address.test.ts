import { describe, expect, it } from 'vitest';
import { resolveBegun, resolveWorker } from '../../src/model/address.ts';
import { workerRecord } from '../support/records.ts';

const ada = workerRecord({ id: '00000001', name: 'Ada', paneId: '%1' });
const bruno = workerRecord({ id: '00000002', name: 'bruno', paneId: '%2' });
const oldAda = workerRecord({ id: '00000003', name: 'ada', phase: 'closed', paneId: '%2' });
const olderAda = workerRecord({ id: '00000004', name: 'ADA', phase: 'dead' });
const all = [ada, bruno, oldAda, olderAda];

describe('resolveWorker', () => {
  it.each([
    ['00000002', bruno],
    ['tmux:%1', ada],
    ['%2', bruno],
    ['ada', ada],
    [' BRUNO ', bruno],
    ['00000003', oldAda],
  ])('finds one worker by %s', (text, expected) => {
    expect(resolveWorker(text, all)).toBe(expected);
  });

  it('names the known workers when nobody is meant', () => {
    expect(() => resolveWorker('adda', all)).toThrow(
      'No worker is called "adda". Did you mean Ada? Known workers: Ada (00000001), bruno (00000002).',
    );
  });

  it('says so when several ended workers share the name', () => {
    expect(() => resolveWorker('ada', [oldAda, olderAda])).toThrow('"ada" means several workers: ada 00000003');
  });

  it('does not take a pane id for that of a worker that has ended', () => {
    expect(() => resolveWorker('%2', [oldAda])).toThrow('There are no workers.');
  });
});

describe('resolveBegun', () => {
  const adam = workerRecord({ id: 'abcd0005', name: 'Adam' });

  it.each([
    ['b', bruno],
    ['ADA', ada],
    ['adam', adam],
    ['abcd', adam],
    ['00000003', oldAda],
  ])('finds one worker by the beginning %s, and a whole name first', (text, expected) => {
    expect(resolveBegun(text, [...all, adam])).toBe(expected);
  });

  it('takes no beginning that several have, none of an id that is short, and no empty one', () => {
    expect(() => resolveBegun('ad', [...all, adam])).toThrow(
      /^"ad" means several workers: Ada 00000001 \(live, .*\), Adam abcd0005 \(/,
    );
    expect(() => resolveBegun('abc', [adam])).toThrow('No worker is called "abc".');
    expect(() => resolveBegun(' ', [adam])).toThrow('No worker is called "".');
    expect(() => resolveWorker('adam', all)).toThrow('Did you mean Ada?');
    expect(() => resolveWorker('brun', all)).toThrow('Did you mean bruno?');
  });
});
