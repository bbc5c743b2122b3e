# tries: output files whose names climb out, hide, steer a terminal, turn text around, or are too long to be saved
# ends: completed
# keeps: plain
# says: END
cd /workspace/output; echo x > plain
for name in $'a\nb' $'a\rb' $'\033[31mred' $'tab\tb' '..\..\up' 'C:evil' $'\u202egnp.exe' $'\u2066x' $'line\u2028b' $'\x7f' '\\server\share' 'c:\x'; do echo x > "$name"; done
long=$(printf '%300s' x | tr ' ' x); echo x > "$long"; mkdir -p "$long"; echo x > "$long/x"; mkdir -p $'a\nb2'; echo x > $'a\nb2/x'
echo x > ../../../workspace/output/../up; echo x > /workspace/output/../../../etc/x
echo END
