# tries: speaks to a listener of the host by every program and pseudo-device that could
# when: soak
# ends: completed
# says: END
for url in http://127.0.0.1:@PORT@/ http://localhost:@PORT@/ http://[::1]:@PORT@/ http://0x7f000001:@PORT@/ ftp://127.0.0.1:@PORT@/ \
  file://@FILE@ gopher://127.0.0.1:@PORT@/ dict://127.0.0.1:@PORT@/ http://canary.invalid/ http://169.254.169.254/latest/meta-data/; do
  curl -s "$url"; curl -sT main "$url"; curl -s --unix-socket /var/run/docker.sock "$url"; wget -qO- "$url"; html-to-markdown "$url"
done 2>&1
(exec 3<>/dev/tcp/127.0.0.1/@PORT@; echo hello >&3; cat <&3) 2>&1
echo hello > /dev/tcp/127.0.0.1/@PORT@; echo hello > /dev/udp/127.0.0.1/@UDP@; cat < /dev/tcp/127.0.0.1/@PORT@
for tool in nc ncat telnet ssh ping dig host nslookup getent openssl socat; do $tool 127.0.0.1 @PORT@ </dev/null; done 2>&1
echo END
