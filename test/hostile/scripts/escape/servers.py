# tries: listens for connections, by sockets and by an event loop; this interpreter breaks down at that
# ends: failed, completed
# when: soak
import asyncio, socket
asyncio.run(asyncio.start_server(print, '0.0.0.0', @PORT@))
s = socket.create_server(('0.0.0.0', 0))
s.settimeout(0.05)
s.accept()
