# tries: expressions that take exponential time in grep, sed, awk, jq, rg, expr, find, case and `=~`
# ends: timed_out, completed, failed
# limits: {"timeout_ms":1000}
x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!
echo $x | grep -E '^(a+)+$'; echo $x | grep -P '^(a|aa)+$'; echo $x | grep -E '(a*)*b'; echo $x | sed -E 's/^(a+)+$/x/'; echo $x | rg '^(a+)+$'
echo $x | awk '/^(a+)+$/'; jq -n --arg x $x '$x | test("^(a+)+$")'; expr $x : '\(a*\)*b'; echo "$x" | grep -E '(.*)*\1*=.*'
shopt -s extglob; case $x in +(+(a))b) echo;; esac; [[ $x == *(*(a)*(a))b ]]; find / -regex '^\(a*\)*b'; echo ${x//+(a|aa)b/}
echo $x | grep -E 'a{1,1000}{1,1000}'; [[ $x =~ ^(a+)+(a+)+(a+)+$ ]]
while :; do [[ $x =~ ^(a*)*(a*)*(a*)*(a*)*b$ ]]; done
