# tries: speaks to a listener of the host over TCP, UDP, sockets of files, and every client of the standard library
# when: soak
# ends: completed
# says: END
import ftplib, http.client, imaplib, jb_http, poplib, select, smtplib, socket, urllib.request, xmlrpc.client
port, udp = @PORT@, @UDP@
def tcp(family, host):
    s = socket.socket(family, socket.SOCK_STREAM)
    s.setblocking(False)
    try:
        s.connect((host, port))
    except OSError:
        pass
    try:
        s.send(b'GET / HTTP/1.0\r\n\r\n')
    except OSError:
        pass
    select.select([s], [s], [s], 0.05)
    return s.recv(99)
def datagram():
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.sendto(b'evil', ('127.0.0.1', udp))
url = f'http://127.0.0.1:{port}/'
clients = [lambda: tcp(socket.AF_INET, '127.0.0.1'), lambda: tcp(socket.AF_INET6, '::1'), lambda: tcp(socket.AF_INET, 'localhost'), datagram,
           lambda: urllib.request.urlopen(url, timeout=0.1).read(), lambda: urllib.request.urlopen('file://@FILE@').read(),
           lambda: http.client.HTTPConnection('127.0.0.1', port, timeout=0.1).request('GET', '/'), lambda: ftplib.FTP().connect('127.0.0.1', port, 0.1),
           lambda: smtplib.SMTP('127.0.0.1', port, timeout=0.1), lambda: poplib.POP3('127.0.0.1', port, 0.1), lambda: imaplib.IMAP4('127.0.0.1', port, 0.1),
           lambda: xmlrpc.client.ServerProxy(url).x(), lambda: socket.create_connection(('127.0.0.1', port), 0.1).send(b'x')]
for client in clients:
    try:
        client()
    except BaseException:
        pass
for address in [url, 'http://localhost:%d/' % port, 'file://@FILE@', 'ws://127.0.0.1:%d/' % port, 'data:text/plain,x', '//127.0.0.1:%d' % port, '@FILE@', '']:
    for act in [jb_http.get, jb_http.post, lambda it: jb_http.request('CONNECT', it), lambda it: jb_http.request('GET', it, headers={'x': 'y\r\nz: 1'})]:
        try:
            answer = act(address)
            print(getattr(answer, 'status_code', None), getattr(answer, 'text', None))
        except BaseException as error:
            print(type(error).__name__)
try:
    print(socket.getaddrinfo('canary.invalid', 80), socket.gethostbyname('localhost'))
except OSError:
    pass
print('END')
