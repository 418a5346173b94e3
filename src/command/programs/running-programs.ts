/** Programs that start others: wrappers, shells, interpreters, builders. The columns are those of `Row`. */
export const runningPrograms = `
env/genv | set* words | -i0v -u= -C=folder -S=shell --unset= --chdir=folder --split-string=shell --ignore-environment,null,debug | first
sudo | set* words | -AbEeHiKklnPSsVv -ugpCcrtThRU= -D=folder --chdir=folder --user,group,prompt,host,role,type,chroot,close-from,
  command-timeout,other-user= --preserve-env?= --login,shell,non-interactive,stdin,background | first
doas | words | -nsL -uC= | first
pkexec | words | --user= | first
run0 | words | -u= -D=folder --user= --chdir=folder | first
gosu/su-exec/setarch/chroot/taskset/linux32/linux64 | text words | -cRp -a --userspec,groups= | first
nice | words | -n= --adjustment= | first
ionice | words | -t -cnpPu= --class,classdata= | first
chrt | text words | -bdfiormav -TPDp= | first
numactl | words | -CNmip= --cpunodebind,membind,interleave= | first
cpulimit | words | -lpeP= | first
nohup/setsid/unbuffer/chronic/valgrind/catchsegv/capsh/fakechroot/bwrap/firejail/systemd-inhibit/dbus-run-session |
  words | -cfwva | first
entr | words | -acdnprz -s=shell | first
torsocks/torify/tsocks/rlwrap/dumb-init/busybox/toybox/builtin/coproc/noglob/nocorrect/xcrun | words | -rcdnpas | first
timeout/gtimeout | text words | -fpv -ks= --kill-after,signal= --foreground,preserve-status,verbose | first
time/gtime | words | -apv -fo= -o=write --format= --output=write | first
stdbuf | words | -ioe= --input,output,error= | first
ltrace | words | -fiSLrtCT -eopslunFaADxw= -o=write --output=write | first
strace | words | -fqvitrTyxck -eopPsuaEbIOSXU= -o=write --output=write | first
gdb/lldb | words | --args,batch,quiet,nx -q -x=code --command=code -ex,iex,eval-command=script -p= | first plain
unshare | words | -mupinUCTrfc -SGRw= | first
nsenter | words | -amuinpCUTF -tSGN= --target,setuid,setgid= | first
setpriv | words | --reuid,regid,groups= --no-new-privs,clear-groups,init-groups | first
fakeroot | words | -u -lisb= | first
proot | words | -0S -rbwk= | first
screen | words | -dmARrx -cehpsSTt= | first
tmux | text* | -dAP -cnstFxyL= -f=code
tmux new-session/new-window/split-window/splitw/new/neww/respawn-pane/respawnp/respawn-window/respawnw/run-shell/run/if-shell/if/send-keys/send/display-popup/popup/popen/pipe-pane/pipep | shell* |
  -dAPbhv -cnstFxyLe=
hyperfine | shell* | -wmMrpcsSLN= --warmup,runs,export-json,export-markdown= --prepare,cleanup,setup,conclude=shell -iN
xvfb-run | words | -al -ensfwp= | first
caffeinate | words | -dimsu -tw= | first
proxychains/proxychains4 | words | -q -f= | first
faketime | text words | -m -f= | first
cgexec | words | -g= | first
tini | words | -sgvw -pe= | first
exec | words | -cl -a= | first
dotenv | words | -o -ef=read -v= | first
perf stat/record/trace | words | -agdv -eoFCpr= | first
xargs/gxargs | words | -0prtxo -InPLdEsaRJS= -ile?= --null,interactive,no-run-if-empty,verbose,exit,open-tty
  --max-args,max-procs,delimiter,max-chars,process-slot-var= --replace,max-lines,eof?= -a=code --arg-file=code | first xargs
parallel/rush | shell* | -kqvXmtuz0 -jIdNnLSC= -a=code --jobs,delimiter,colsep,sshlogin,max-args,joblog,delay,timeout,
  retries,results,tagstring= --arg-file=code --dry-run,bar,progress,halt,tag,line-buffer,keep-order | first joined xargs
watch | shell* | -bcdegtwx -nq= --interval,equexit= --differences?= --exec,errexit,chgexit,color,beep,no-title | first joined
flock | name words | -nesuxoF -wE= --wait,timeout,conflict-exit-code= -c=shell --command=shell --exclusive,shared,
  nonblock,unlock,close |
sg | text shell | -c=shell
script | write* | -aefq -c=shell -BIOTE= --command=shell --append,flush,quiet,return
su | text* | -lpfqaem -sgGTOIBEo= -c=shell --command,session-command=shell --shell= --login --quiet | input
runuser | words | -lpf -c=shell --command=shell -sgGu= --user,group= | first input
vagrant | text* | -c=shell --command=shell
eval | shell* | | literal joined
trap | shell text* | -lp
source/. | code text* | | first
sh/bash/zsh/dash/ksh/ksh93/mksh/lksh/pdksh/ash/hush/fish/rbash/yash/csh/tcsh/posh/oksh/elvish/nu/xonsh | code text* |
  -abefhiklmprtuvxBCEHPTDldyz -n!idle -c!command -s!input -oO= + --rcfile,init-file,init-command=code --command!command
  --norc,noprofile,login,posix,restricted,verbose,noediting --version,help!idle | first
cmd | shell* | | joined literal
powershell/pwsh | shell* | | joined literal
python/python2/python3/pypy/pypy3 | code text* | -bBdEiIOPqRsSuvx -WX= -c=script!given -m=module
  --version,help!idle --check-hash-based-pycs= | first version
perl/ruby/jruby/raku | code read* | -acfnlpsStTuUvwWX0 -eE=script!given -i?=!edit -IMmCDFrxK?= --version,help!idle |
  first version
node/nodejs/tsx/ts-node | code text* | -ivch -ep=script!given -rC=code --eval,print=script!given
  --require,import,loader,experimental-loader,env-file,test-reporter=code --version,help!idle
  --check,interactive,test,watch,inspect,enable-source-maps,trace-warnings,experimental-strip-types,expose-gc
  --max-old-space-size,conditions,input-type,test-name-pattern= --run= | first version
php | code text* | -aCinqsvwz -rRBE=script!given -dcSt= -fF=code --version,help!idle | first version
lua/luajit/julia/rscript/osascript/elixir/groovy/guile/tclsh/expect/wish/irb/iex/jshell/ghci/scala/racket/sbcl/clojure/erl |
  code text* | -iqv -eE=script!given -lr=code -c=script!given --eval,print=script!given | first
deno eval | script*
deno run | code text* | -A
deno/bun | code text* | -A --version,help!idle -ep=script!given | version
bunx/npx/pnpx | words | -yq -p= -c=shell --package= --call=shell --yes,no,no-install,quiet,bun | first
uvx | words | --from,with,python,index-url= -q -p= | first
npm exec/x | words | -ys -pw= -c=shell --package,workspace,prefix= --call=shell --yes | anywhere
pnpm/yarn/bun exec/x/dlx | words | -ysr -pwFC= -c=shell --package,workspace,prefix,filter,dir,cwd= --call=shell --yes |
pipx run | words | --spec= | first
uv run | words | -q -p= --env-file=read --with,python,directory,extra,group,package,project= --no-sync,frozen,isolated,dev | first
uv tool run | words | --from,with= | first
poetry/pipenv/pdm/hatch/rye run | words | | first
bundle exec | words | | first
mise exec/x | words | | first
conda/mamba run | words | -np= --name,prefix= --no-capture-output | first
podman unshare | words | --rootless-netns | first
rbenv/pyenv/nodenv/goenv/jenv/asdf exec | words | | first
rustup run | text words | --install | first
direnv exec | text words | | first
nix-shell/nix | maybe* | -pAI= --run,command=shell --pure
docker/podman/nerdctl container exec | text words | -dit -euw= --env-file=read --env,user,workdir= --interactive,tty,detach | first
docker/podman/nerdctl exec | text words | -dit -euw= --env-file=read --env,user,workdir= --interactive,tty,detach | first
docker/podman/nerdctl run/create | text words | -ditPq -abceghlmpuw= -v=maybe --volume,mount=maybe --env-file=read --name,network,entrypoint,env,
  publish,workdir,user,memory,cpus,platform,label,add-host,hostname,shm-size,ulimit,gpus,log-driver,pull=
  --restart=!lasts --rm,init,interactive,tty,detach,privileged,read-only | first
docker/podman/nerdctl compose exec/run | text words | -dTi -euw= --rm,no-deps | first
docker/podman/nerdctl | maybe* | -D -Hcl=
docker/podman/nerdctl compose | maybe* | -fp=
kubectl exec | text words | -it -cn= --container,namespace= --stdin,tty
kubectl run/debug | text words | -it -cn= --image,restart,namespace,env,labels,overrides= --stdin,tty,rm,command,attach
make/gmake/bmake | config* | -bBdeikLnpqrRsStvw -C=folder -fI=code -jlOW?= -o= --directory=folder --file,makefile,include-dir=code
  --eval=script -E=script --jobs,load-average?= --dry-run,just-print,silent,quiet,keep-going,always-make,question
  --version,help!idle | version
gcc/g++/cc/c++/clang/clang++ | read* | -o=write -wrapper=shell -B,specs=code -c,S,E,g,O0,O1,O2,O3,Os,Wall,Wextra,Werror,
  shared,fPIC,pthread,static -I,L,D,l,U,std,isystem,include,MF,MT,x,march=name -fplugin=code --version,help!idle | plain version
cmake/meson/javac/java | read* | -P=code -E=module -dB=put -S= --version,help!idle | version
tsc | read* | -p=read --outDir,outFile=write --project=read --version,help!idle | version
`;
