# tries: ends with a code that no process can have, while other ends are still to come
# ends: completed, failed
# when: soak
import atexit, sys
atexit.register(lambda: print('at exit'))
sys.exit(10 ** 30)
