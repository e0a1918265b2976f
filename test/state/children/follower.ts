// Follows a file and a folder, says what it saw first, lets go and ends by itself: follower.ts <file> <folder>
import { systemClock } from '../../../src/clock.ts';
import { followDir } from '../../../src/jsonl/folder.ts';
import { followFile } from '../../../src/jsonl/tail.ts';

const [file = '', folder = ''] = process.argv.slice(2);
const open = setInterval(() => undefined, 1000);
const tail = followFile(file, {
  clock: systemClock,
  onLines: ([line]) => {
    console.log(`line ${line}`);
    clearInterval(open);
    feed.close();
    if (process.argv[4] !== 'stay-open') void tail.close();
  },
});
const feed = followDir(folder, { clock: systemClock, onChange: () => undefined });
console.log('following');
