# tries: unpacks archives with `..`, absolute names and links, to land outside
# when: soak
# ends: completed
# says: END
echo evil > payload; ln -s @DIR@ way; mkdir -p a/b
tar cPf up.tar ../../../../../../../..@DIR@/new @FILE@ way payload; tar cf links.tar way
tar cf renamed.tar --transform 's|payload|../../../../../..@DIR@/new|' payload; tar cf renamed2.tar -P --transform 's|payload|@DIR@/new|' payload
for archive in *.tar; do tar xPf $archive; tar xf $archive -C /; tar xf $archive -C way; tar tvf $archive; done 2>/dev/null >/dev/null
tar xf up.tar --to-command 'cat @FILE@'; tar cf x.tar --checkpoint=1 --checkpoint-action='exec=cat @FILE@' payload; tar cf x -I 'cat @FILE@' payload
gzip -c payload > p.gz; gunzip -N p.gz; gzip -S ../../x payload; split -b 1 -d --filter='cat @FILE@' main
echo END
