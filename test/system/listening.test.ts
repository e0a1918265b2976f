import { expect, test } from 'vitest';
import { portsInNetstat, portsInProc } from '../../src/system/listening.ts';

test('of the tables of Linux only listeners count', () => {
  const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 18000 1 0000000000000000 100
   1: 0100007F:D431 0100007F:0BB8 01 00000000:00000000 00:00000000 00000000  1000        0 18001 1 0000000000000000 20
 100: 00000000000000000000000001000000:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 0
`;
  expect(portsInProc(table)).toEqual([3000, 8080]);
});

test('of the list of BSD only listeners count', () => {
  const list = `Active Internet connections (including servers)
Proto Recv-Q Send-Q  Local Address          Foreign Address        (state)
tcp4       0      0  127.0.0.1.3000         *.*                    LISTEN
tcp46      0      0  *.8080                 *.*                    LISTEN
tcp4       0      0  192.168.1.2.53211      17.57.144.1.443        ESTABLISHED
`;
  expect(portsInNetstat(list)).toEqual([3000, 8080]);
});
