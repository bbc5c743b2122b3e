import type { TarEntry } from './archives.ts';
import { shellFiles } from './shell-files.ts';

/** An image whose server speaks MCP over HTTP at port 8123, in Perl: without Node, and without a library of JSON. */

export const WEB_PORT = 8_123;

const PROGRAM = String.raw`
socket(my $server, 2, 1, 6) or die "socket $!";
setsockopt($server, 1, 2, pack('i', 1));
bind($server, pack('S n a4 x8', 2, ${WEB_PORT}, "\0\0\0\0")) or die "bind $!";
listen($server, 16) or die "listen $!";
my %results = (
  'initialize' => '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"web","version":"1"}}',
  'tools/list' => '{"tools":[{"name":"about","inputSchema":{"type":"object"}}]}',
);
while (accept(my $client, $server)) {
  my ($first, $length) = (scalar(<$client>) // '', 0);
  while (defined(my $line = <$client>)) {
    last if $line =~ /^\r?$/;
    $length = $1 if $line =~ /^content-length: *(\d+)/i;
  }
  read($client, my $body, $length) if $length > 0;
  $body //= '';
  my ($method) = $body =~ /"method":"([^"]+)"/;
  my ($id) = $body =~ /"id":("[^"]*"|\d+)/;
  my ($status, $answer) = ('202 Accepted', '');
  if ($first !~ m{^POST /mcp }) { $status = '405 Method Not Allowed'; }
  elsif (defined $id) {
    my $names = join ',', map { '"' . $_ . '"' } sort keys %ENV;
    my $node = -e '/usr/bin/node' || -e '/opt/node' ? 'true' : 'false';
    $results{'tools/call'} = '{"content":[{"type":"text","text":"' . quotemeta_json("{\"env\":[$names],\"args\":[\"$ARGV[0]\"],\"node\":$node}") . '"}]}';
    my $result = $results{$method // ''};
    $status = '200 OK';
    $answer = '{"jsonrpc":"2.0","id":' . $id . ',' . (defined $result ? '"result":' . $result : '"error":{"code":-32601,"message":"no"}') . '}';
  }
  print $client "HTTP/1.1 $status\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: " . length($answer) . "\r\n\r\n$answer";
  close $client;
}
sub quotemeta_json { my ($text) = @_; $text =~ s/"/\\"/g; return $text; }
`;

export const WEB_CONFIG = { Entrypoint: ['/usr/bin/perl', '/srv/web.pl'], Cmd: ['--image'], Env: [], WorkingDir: '/' };

/** Null where this machine has no Perl. */
export function webImage(): TarEntry[] | null {
  const files = shellFiles('/usr/bin/perl');
  return files === null ? null : [...files, { path: 'srv/web.pl', text: PROGRAM }];
}
