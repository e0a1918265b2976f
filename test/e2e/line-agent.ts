// A program that talks line by line and leaves no trace but its screen, as a configuration would describe one.
export const lineAgent = `
import os, sys, termios, time, tty
try:
    import readline
except ImportError:
    pass
note = open(os.environ['LINE_AGENT_NOTES'], 'a', buffering=1) if 'LINE_AGENT_NOTES' in os.environ else None
def tell(what):
    if note: note.write('%d %s\\n' % (time.time() * 1000, what))
print('line agent', *sys.argv[1:])
while True:
    try:
        line = input('you> ')
    except EOFError:
        break
    except KeyboardInterrupt:
        print()
        continue
    tell('begin')
    try:
        word, _, rest = line.partition(' ')
        if word == 'work':
            print('* working, ctrl-c stops it', end='', flush=True)
            time.sleep(float(rest))
            print('\\r\\x1b[Kworked for', rest)
        elif word == 'ponder':
            time.sleep(float(rest))
            print('pondered')
        elif word == 'tick':
            for i in range(int(rest)):
                print('tick', i, flush=True)
                time.sleep(0.2)
        elif word == 'ask':
            print('answered', input('Run this command? [y/n] '))
        elif word == 'pick':
            labels, at, key, before = ['Yes', 'No'], 0, '', termios.tcgetattr(0)
            tty.setcbreak(0)
            print('Pick one?')
            while key != '\\n':
                for i, label in enumerate(labels):
                    print('%s %d. %s' % ('❯' if i == at else ' ', i + 1, label))
                key = os.read(0, 8).decode().replace('\\r', '\\n')
                at = {'\\x1b[A': 0, '\\x1b[B': 1}.get(key, at)
                print('\\x1b[2A', end='', flush=True)
            termios.tcsetattr(0, termios.TCSADRAIN, before)
            print('\\x1b[J' + 'picked', labels[at])
        elif word == 'write':
            open(rest, 'w').write('written')
            print('wrote', rest)
        elif word == 'die':
            sys.exit(7)
        else:
            print('heard', len(line), line[-20:])
    except KeyboardInterrupt:
        print('\\nstopped')
    tell('end')
`;
