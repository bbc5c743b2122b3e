# tries: reads files of the host with every command that opens one, by absolute path, `..`, `/proc` and descriptors
# ends: completed
# says: END
for path in @FILE@ ../../../../../../..@FILE@ /proc/self/root@FILE@ /proc/@PID@/environ /dev/fd/3; do
  cat "$path"; head -c 99 "$path"; tail -n 5 "$path"; od -c "$path"; strings "$path"; base64 "$path"; grep -r . "$path"
  sed -n p "$path"; awk 1 "$path"; jq -R . "$path"; sort "$path"; diff "$path" /dev/null; source "$path"; . "$path"
  read -r line < "$path"; echo "$line"; mapfile -t lines < "$path"; echo "$lines"; echo "$(< "$path")"
  cp "$path" /workspace/output/stolen; tar cf - "$path"; xargs -a "$path" echo; split "$path"; tac "$path"; rg . "$path"
  yq . "$path"; xan count "$path"; find "$path" -exec cat {} \; ; env -C / cat "$path"; bash "$path"
  jq -n --rawfile x "$path" '$x'; jq -n --slurpfile x "$path" '$x'; awk "BEGIN { while ((getline l < \"$path\") > 0) print l }"
  sed "r $path" <<<x; sed -f "$path" <<<x; grep -f "$path" <<<x; date -f "$path"; cat <(cat "$path"); wc -c "$path"
done 2>&1
cat //@FILE@ /./@FILE@ /host@FILE@ /proc/self/environ /proc/self/cwd/package.json /proc/1/root@FILE@ /etc/passwd ~root/.ssh/id_rsa file://@FILE@ 2>&1
ls -laR @DIR@ /root /home /var /etc 2>&1
echo END
