/** Programs that show files, names and the state of the machine. The columns are those of `Row`. */
export const lookingPrograms = `
cat | read* | -AbeEnstTuv --show-all,number,number-nonblank,squeeze-blank,show-ends,show-tabs,show-nonprinting | looks
head | read* | -qvz0123456789 -nc= --lines,bytes= --quiet,silent,verbose,zero-terminated | looks
tail | read* | -qvzfFr0123456789 -ncs= --lines,bytes,pid,sleep-interval,max-unchanged-stats= --follow?=
  --quiet,silent,verbose,zero-terminated,retry | looks
nl | read* | -p -bdfhilnsvw= --body-numbering,number-width,number-separator,starting-line-number,number-format,
  section-delimiter,footer-numbering,header-numbering,line-increment,join-blank-lines= --no-renumber | looks
tac | read* | -br -s= --before,regex --separator= | looks
rev | read* | -0 --zero | looks
cut | read* | -nsz -bcdf= --bytes,characters,delimiter,fields,output-delimiter=
  --complement,only-delimited,zero-terminated | looks
paste | read* | -sz -d= --delimiters= --serial,zero-terminated | looks
join | read* | -iz -12aetjov= --ignore-case,check-order,nocheck-order,header,zero-terminated | looks
comm | read* | -123z --check-order,nocheck-order,total,zero-terminated --output-delimiter= | looks
fold | read* | -bs -w= --bytes,spaces --width= | looks
fmt | read* | -cstu -wg= --width,goal= --uniform-spacing,split-only,crown-margin,tagged-paragraph | looks
expand | read* | -i -t= --initial --tabs= | looks
unexpand | read* | -a -t= --all,first-only --tabs= | looks
od | read* | -abcdfhilosxv -AjNt= -wS?= --address-radix,skip-bytes,read-bytes,format= --width,strings?=
  --output-duplicates | looks
hexdump/hd | read* | -bcCdovx -ns= | looks
strings | read* | -aw0123456789 -nteT= --all,include-all-whitespace --bytes,radix,encoding= | looks
column | read* | -texJLd -csoNR= --table,json --separator,output-separator= | looks
zcat/gzcat | read* | -f --force | looks
bzcat/xzcat/zstdcat/iconv/pr/tsort/numfmt/less/more/most/bat/batcat/zless/basenc/base32 | read* | -n -o=write -O=write
  --output,log-file,LOG-FILE=write --pager=shell
cmp | read* | -bls -in= --print-bytes,verbose,quiet,silent --ignore-initial,bytes= | looks
diff | read* | -abBcdEeHiNnpqsTtuwyZ0123456789 -r!tree -CDFIUWx= --recursive!tree --normal,brief,
  report-identical-files,ed,rcs,side-by-side,left-column,suppress-common-lines,show-c-function,expand-tabs,
  initial-tab,no-dereference,new-file,ignore-case,ignore-tab-expansion,ignore-trailing-space,ignore-space-change,
  ignore-all-space,ignore-blank-lines,text,strip-trailing-cr,minimal,speed-large-files
  --context,unified,color?= --width,show-function-line,label,exclude,ignore-matching-lines= | looks folders
colordiff/sdiff/diff3/delta | read* | -r!tree --diff-program=shell --pager=shell
wc | count* | -clmLw --bytes,chars,lines,words,max-line-length --files0-from=code | looks
cksum/sum | count* | -rs --sysv | looks
md5sum/sha1sum/sha224sum/sha256sum/sha384sum/sha512sum/b2sum | count* | -btz --binary,text,tag,zero | looks
base64 | read* | -dDi -wb= --decode,ignore-garbage --wrap,break= | looks
xxd | read write | -a,b,e,E,i,p,u,r,ps,plain,bits,include,revert -c,g,l,n,o,s,cols,len,seek= | looks plain
uniq/guniq | read write | -cdDuiz0123456789 -fsw= --count,repeated,unique,ignore-case,zero-terminated
  --skip-fields,skip-chars,check-chars= --all-repeated,group?= | looks
sort/gsort | read* | -bdfghiMnRrVcCmsuz -ktS= -o=write -T=write --output=write --compress-program=shell
  --ignore-leading-blanks,dictionary-order,ignore-case,general-numeric-sort,ignore-nonprinting,month-sort,
  human-numeric-sort,numeric-sort,random-sort,reverse,version-sort,merge,stable,unique,zero-terminated
  --sort,key,field-separator,buffer-size,parallel,batch-size= --check?= --files0-from=code --random-source=read
  --temporary-directory=write | looks
shuf | read* | -erz -in= -o=write --output=write --random-source=read | looks
split/gsplit/csplit | read write | -abClnt= -f=write --filter=shell
tr | text* | -cCdst --complement,delete,squeeze-repeats,truncate-set1 | looks
ls/dir/vdir | name* | -aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1 -ITw=name --all,almost-all,author,escape,ignore-backups,
  directory,dired,file-type,full-time,group-directories-first,no-group,human-readable,si,inode,kibibytes,dereference,
  numeric-uid-gid,literal,hide-control-chars,show-control-chars,quote-name,reverse,recursive,size,zero
  --color,classify,hyperlink?= --format,hide,indicator-style,ignore,quoting-style,sort,time,time-style,width= | looks
stat | name* | -Lftxr -c= --dereference,file-system,terse --format,printf= | looks
du | name* | -0abcDhHklLmsSx -X=code --exclude-from,files0-from=code -Bdt= --all,apparent-size,bytes,total,dereference-args,human-readable,inodes,null,si,
  separate-dirs,summarize,one-file-system --block-size,max-depth,threshold,time-style,exclude= --time?= | looks
df | name* | -ahHiklPT -Btx= --all,human-readable,si,inodes,local,no-sync,portability,total,print-type
  --block-size,type,exclude-type= --output?= | looks
readlink | name* | -femnqsvz --canonicalize,canonicalize-existing,canonicalize-missing,no-newline,quiet,silent,verbose,
  zero | looks
realpath | name* | -emLPqsz --canonicalize-existing,canonicalize-missing,logical,physical,quiet,strip,no-symlinks,zero
  --relative-to,relative-base=name | looks
file | name* | -bhiIkLNnprsd0 --brief,mime,mime-type,mime-encoding,dereference,no-dereference,no-pad,keep-going,raw,
  special-files,print0 -mf=code | looks
tree | name* | -adfilpstuxDFghnqQACSvcrUXJ -IPL= -o=write --dirsfirst,noreport,prune,gitignore,ignore-case,matchdirs,
  du,si,metafirst,inodes,device --filelimit,charset,sort= --output=write | looks
pwd | | -LP --logical,physical | looks
true/false/: | text* | | looks
echo | text* | | looks literal
printf | text* | | looks
basename | text* | -az -s= --multiple,zero --suffix= | looks
dirname | text* | -z --zero | looks
uname | | -asnrvmpio --all,kernel-name,nodename,kernel-release,kernel-version,machine,processor,hardware-platform,
  operating-system | looks
arch | words
nproc | | --all --ignore= | looks
whoami/logname | | | looks
id | text* | -ugGnrz --user,group,groups,name,real,zero | looks
groups | text* | | looks
tty | | -s --silent,quiet | looks
uptime | | -ps --pretty,since | looks
free | | -bkmgthlw -sc= --bytes,kibi,mebi,gibi,human,total,wide,lohi,si --seconds,count= | looks
seq | text* | -w0123456789 -fs= --equal-width --format,separator= | looks
sleep | text* | | looks
which/type | text* | -aftpsP --all | looks
cal | text* | -jymshwn0123456789 -ABm= --monday,sunday,year,julian | looks
date | | -uR -d= --date= -f=code --file=code + -I?= --utc,universal,rfc-email --iso-8601?= --rfc-3339= | looks
hostname | | -fsidIA | looks
ps | | -eAfHjLFl -puCgsto= | looks
ps aux/ax/axu | | | looks
test/[/[[ | name* | -a,b,c,d,e,f,g,h,k,n,o,p,r,s,t,u,w,x,z,L,O,S,G,N,eq,ne,lt,le,gt,ge,nt,ot,ef,0,1,2 | looks plain expression
cd/pushd | name | | looks
command | words | -v,V!text -p | looks plain
lsof/top/htop/last/lsblk/history/locate/whatis/apropos/whereis/tldr/cheat/info/yes | text* |
help/hash/unalias/unset/shift/return/exit/wait/popd/let/((/set/export/declare/typeset/local/readonly/read | text* |
mapfile/readarray/kill/pkill/killall/pgrep/logger/wall/write/say/figlet/cowsay/banner/notify-send/zenity | text* |
dialog/whiptail/mail/mailx/expr/msgfmt/fzf/service/journalctl/alias | text* |
man | text* | -H?=shell -P=shell --html?=shell --pager=shell -CM=read -afkKwWDdtulei78
gojq/jaq | text read* | -i!edit -f=code!given --from-file=code!given --in-place!edit
jq | text read* | -rcensSjaMCR --raw-output,compact-output,null-input,exit-status,slurp,sort-keys,
  join-output,ascii-output,monochrome-output,color-output,raw-input,args,jsonargs,tab,stream,seq,unbuffered
  --indent= --arg,argjson== -f=code!given --from-file=code!given --slurpfile,rawfile==read -L=code | looks
yq | text read* | -i!edit --inplace,in-place!edit
zgrep | text read* | -e=!given -f=read!given -r!tree
grep/egrep/fgrep/ggrep | text read* | -abcEFGHhIiLlnoPqsTUvVwxyzZ0123456789 -rR!tree -ABCm= -D= -d=!tree -e=!given
  -f=read!given --regexp=!given --file=read!given --extended-regexp,fixed-strings,basic-regexp,perl-regexp,ignore-case,
  no-ignore-case,invert-match,word-regexp,line-regexp,count,files-without-match,files-with-matches,only-matching,quiet,
  silent,no-messages,byte-offset,with-filename,no-filename,line-number,initial-tab,null,text,null-data
  --recursive,dereference-recursive!tree --color,colour?= --max-count,label,after-context,before-context,context,
  binary-files,exclude,exclude-dir,include= --directories=!tree --exclude-from=read | looks
rg/ripgrep | text read* | -acFHIiLlNnoPpqSsUuvwx.0 -ABCEjMmrtTd= -g= -e=!given -f=read!given --regexp=!given
  --file=read!given --files,type-list!given --type,type-not,glob,iglob,max-count,max-depth,max-columns,context,
  before-context,after-context,replace,sort,sortr,threads,color,colors,encoding,engine,max-filesize=
  --line-number,no-line-number,files-with-matches,files-without-match,count,count-matches,ignore-case,smart-case,
  case-sensitive,fixed-strings,word-regexp,line-regexp,invert-match,multiline,hidden,no-ignore,no-ignore-vcs,
  unrestricted,heading,no-heading,column,only-matching,json,stats,trim,vimgrep,with-filename,no-filename,quiet,null,
  text,follow,pcre2,debug,passthru --pre,hostname-bin=shell --pre-glob= --ignore-file=read | looks tree here
ag/ack | text read* | -ABCmGg= -u --pager=shell | tree here
find/gfind | name* | -name,iname,path,ipath,wholename,iwholename,regex,iregex,regextype,type,xtype,size,atime,ctime,
  mtime,amin,cmin,mmin,maxdepth,mindepth,printf,user,group,uid,gid,perm,links,inum,fstype,lname,ilname,used,newermt,
  newerat,newerct,newerBt= -anewer,cnewer,newer,newermm,samefile=name
  -L,empty,depth,d,xdev,mount,print,print0,prune,quit,ls,o,or,a,and,not,H,P,readable,writable,executable,true,false,
  nouser,nogroup,daystart,noleaf,ignore_readdir_race -O1,O2,O3 -exec,execdir,ok,okdir=exec -delete!edit
  -fprint,fprint0,fls=write -fprintf=write -files0-from=code | looks plain expression
fd/fdfind | text name* | -HIuLap0 -tedEcj= -xX=exec --exec,exec-batch=exec
`;
