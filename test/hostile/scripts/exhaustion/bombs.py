# tries: bombs for zip, gzip, bzip2, XML, JSON and pickle
# ends: completed, failed, memory_exceeded, timed_out
# when: soak
# limits: {"timeout_ms":6000}
import bz2, gzip, io, json, pickle, xml.etree.ElementTree as tree, zipfile, zlib
def attempt(act):
    try:
        act()
    except (MemoryError, RecursionError, ValueError, OSError, tree.ParseError, Exception) as error:
        print(type(error).__name__)
squeezed = zlib.compress(bytes(10_000_000))
attempt(lambda: [zlib.decompress(squeezed) for _ in range(5)])
attempt(lambda: gzip.decompress(gzip.compress(bytes(10_000_000)) * 10))
attempt(lambda: bz2.decompress(bz2.compress(bytes(2_000_000)) * 30))
laughs = '<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa">' + ''.join(f'<!ENTITY {b} "{("&" + a + ";") * 10}">' for a, b in zip('abcdefgh', 'bcdefghi')) + ']><l>&i;</l>'
attempt(lambda: tree.fromstring(laughs))
attempt(lambda: tree.fromstring('<!DOCTYPE l [<!ENTITY x SYSTEM "file://@FILE@">]><l>&x;</l>'))
attempt(lambda: json.loads('[' * 100_000))
attempt(lambda: pickle.loads(b'(' * 1_000_000 + b'.'))
attempt(lambda: int('9' * 1_000_000))
attempt(lambda: '%*d' % (2**31 - 1, 1))
