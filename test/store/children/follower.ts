// Follows a file and a folder, says what it saw first and ends by itself:
// follower.ts <file> <folder> closed|stay-open

import { followDir } from '../../../src/jsonl/folder.ts';
import { followFile } from '../../../src/jsonl/tail.ts';
import { systemClock } from '../../../src/system/clock.ts';

const [file = '', folder = ''] = process.argv.slice(2);
const open = setInterval(() => undefined, 1000);
const tail = followFile(file, {
  clock: systemClock,
  onLines: ([line]) => {
    console.log(`line ${line}`);
    clearInterval(open);
    if (process.argv[4] === 'stay-open') return;
    feed.close();
    void tail.close();
  },
});
const feed = followDir(folder, { clock: systemClock, onChange: () => undefined });
console.log('following');
