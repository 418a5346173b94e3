/** What options of looking at history and content have in common. */
const format = `-abBcDeEFhiIklMmnopqrRsStuvVwWxzZ0123456789 -CX?= -GSU= -L?=read
  --abbrev,after,author,before,branches,color,color-moved,color-words,column,committer,cut,date,decorate,decorate-refs,
  diff-algorithm,diff-filter,diff-merges,dirstat,exclude,find-copies,find-object,find-renames,format,glob,grep,
  ignore-submodules,ignored,inter-hunk-context,line-prefix,max-count,max-parents,min-parents,no-walk,pretty,relative,
  remotes,since,since-as-filter,skip,sort,src-prefix,dst-prefix,stat,tags,until,untracked-files,
  word-diff,word-diff-regex,ws-error-highlight,porcelain,contains,no-contains,points-at,merged,no-merged,count,heads,
  candidates,match,exclude-standard,break-rewrites,anchored,abbrev-ref,symbolic,show-linear-break,indent-heuristic?=
  --abbrev-commit,check,absolute-git-dir,all,all-match,always,ancestor-path,boundary,branch,cached,cc,cherry,cherry-mark,
  cherry-pick,children,clear-decorations,combined-all-paths,compact-summary,cumulative,current-branch,date-order,deleted,
  deref,directory,dirty,error-unmatch,exact-match,exit-code,extended-regexp,find-copies-harder,first-parent,
  fixed-strings,follow,full-history,full-index,full-name,full-tree,function-context,git-common-dir,git-dir,graph,
  histogram,human-readable,ignore-all-space,ignore-blank-lines,ignore-cr-at-eol,ignore-missing,ignore-space-at-eol,
  ignore-space-change,incremental,independent,invert-grep,is-ancestor,is-bare-repository,is-inside-git-dir,
  is-inside-work-tree,left-only,left-right,line-porcelain,local-env-vars,long,mailmap,merge-base,merges,minimal,modified,
  name-only,name-status,names,no-abbrev,no-abbrev-commit,no-color,no-decorate,no-ext-diff,no-indent-heuristic,
  no-mailmap,no-merges,no-notes,no-patch,no-prefix,no-renames,no-show-signature,no-textconv,null,numbered,
  numstat,object-only,objects,oneline,others,patch,patch-with-stat,patience,perl-regexp,pickaxe-all,pickaxe-regex,quiet,
  raw,refs,regexp-ignore-case,relative-date,remove-empty,renames,reverse,right-only,root,score-debug,shortstat,short,
  show-cdup,show-email,show-name,show-number,show-prefix,show-pulls,show-stash,show-toplevel,simplify-by-decoration,
  simplify-merges,size,source,sparse,sq,stage,staged,stdin-paths,summary,symbolic-full-name,text,timestamp,topo-order,
  unified,unmerged,untracked,upstream,verbose,verify,walk-reflogs --output=write`;

/** The subcommands of git. The columns are those of `Row`. */
export const gitPrograms = `
git | | -pP -C=folder -c=config --git-dir,work-tree,exec-path,super-prefix=code --namespace,attr-source= --config-env=config
  --no-pager,paginate,no-replace-objects,literal-pathspecs,no-optional-locks,version | version
git diff | read* | ${format} | looks folders
git status/log/show/rev-parse/ls-tree/describe/shortlog/rev-list/merge-base/name-rev |
  read* | ${format} | looks
git ls-files | read* | ${format} -xX= -X=read | looks
git blame/annotate | read* | ${format} -S=read | looks
git whatchanged/for-each-ref/show-ref/count-objects/version/diff-tree/diff-index/diff-files/cherry/range-diff |
  read* | ${format} | looks
git grep | text read* | -aiIvwWhHEGPFnolLczpqr0123456789 -ABCm= -f=read!given -O?=shell --open-files-in-pager?=shell -e=!given
  --cached,untracked,text,ignore-case,word-regexp,invert-match,extended-regexp,basic-regexp,perl-regexp,
  fixed-strings,line-number,column,full-name,files-with-matches,name-only,files-without-match,null,only-matching,count,
  all-match,quiet,recursive,break,heading,show-function,function-context,and,or,not --color?=
  --max-depth,max-count,threads,context,after-context,before-context= | looks tree here
git cat-file | read* | -ets | looks
git branch | | -arvil --all,remotes,list,show-current,verbose,no-color,ignore-case --merged,no-merged,color,column?=
  --contains,no-contains,points-at,sort,format= | looks
git tag | | -li -n?= --list,ignore-case --sort,format,contains,no-contains,points-at= --merged,no-merged?= | looks
git remote | | -v --verbose | looks
git stash list | | | looks
git stash show | text | -pu --patch,stat,name-only,name-status,numstat,shortstat,include-untracked,only-untracked | looks
git worktree list | | -vz --porcelain,verbose | looks
git check-ignore | name* | -qvnz --quiet,verbose,non-matching,no-index,stdin | looks
git submodule status | | | looks
git reflog | | -n= -0123456789 | looks
git reflog show | | -n= -0123456789 | looks
git difftool | read* | -dyg -t= -x=shell --extcmd=shell --tool= --no-prompt,dir-diff,gui
git mergetool | read* | -t= --tool= -y
git archive | text read* | -o=write -l --output=write --format,prefix= --remote=host --exec=shell --add-file=read --add-virtual-file=
git hash-object | read* | -w -t= --stdin,no-filters,literally --path=
git rm/restore/checkout/switch/clean | write* | -qnfdxXbBtmp -r!tree -s= -c= --source,conflict=
  --cached,staged,worktree,force,quiet,patch,ours,theirs --recurse-submodules?=
git mv | take* put | -fkvn | tree
git rebase | text* | -ipqvfkr -x=shell --exec=shell --onto,strategy,strategy-option= -sX=
  --interactive,continue,abort,skip,edit-todo,autosquash,autostash,root
git filter-branch | text* | -f -d= --tree-filter,index-filter,msg-filter,env-filter,commit-filter,parent-filter,
  tag-name-filter,setup=shell --subdirectory-filter,original=
git submodule foreach | shell* | -q --recursive,quiet | joined
git submodule add/set-url | host write | -fb= --name,branch,reference,depth= --quiet,force
git submodule update | text* | --init,recursive,remote,checkout,merge,rebase,quiet,force --jobs,depth=
git bisect run | words | | first
git clone | host write | -lnqsv -obj= -u=shell -c=config --upload-pack=shell --config=config --template=code!lasts
  --reference,reference-if-able,separate-git-dir=code --depth,branch,origin,filter,jobs,shallow-since,bundle-uri=
  --bare,mirror,no-checkout,recursive,recurse-submodules,single-branch,quiet,verbose,progress,no-tags,sparse
git fetch/pull/ls-remote | host text* | -apPqvftu4 -ojsX= --upload-pack,exec=shell --all,prune,tags,force,rebase,ff-only,no-rebase
  --depth,jobs,server-option,strategy,shallow-since,refmap= --heads,quiet,dry-run,unshallow,verbose,progress,autostash
git push/send-pack/fetch-pack | host text* | -fqndvu4 -o= --receive-pack,upload-pack,exec=shell --all,force,force-with-lease,delete,tags,
  set-upstream,dry-run,no-verify,follow-tags,mirror,prune,quiet,verbose --push-option= --repo=host
git init | write | -q -b= --template=code!lasts --separate-git-dir=write --initial-branch,object-format,shared= --bare
git worktree add | write text | -fqbB= --detach,force,lock,track,checkout
git bundle create | write text* | -q
git format-patch/send-email | text* | -o=write --output-directory=write --smtp-server,sendmail-cmd,to-cmd,cc-cmd=shell
git commit/merge/cherry-pick/revert/add/am/apply | text* | -aAvqsnpufeixkS0 -mCcX= -FtT=read --message,author,date,
  strategy,cleanup,fixup,reuse-message,directory,trailer= --file,template,pathspec-from-file=read
git interpret-trailers | read* | --trailer= --in-place!edit
git remote add/set-url | text host | -tm= -f --push,add,delete,tags
git remote get-url | text | --push,all | looks
git remote show/prune/rename/remove/rm/update/set-head/set-branches | text*
git stash push/pop/apply/drop/save/clear/branch/create/store | text* | -pkuaq -m= --message=
git daemon/instaweb | text* | -d=shell -b= -p= --access-hook,httpd=shell --browser,port,base-path=
git for-each-repo/hook | words
git maintenance start/register | text* | | lasts:timed
git config | config* | -l!idle -z -e!lasts -t= -f=take --file=take --blob,type,default,value,url,comment,fixed-value=
  --list,get,get-all,get-regexp,get-urlmatch,get-color,get-colorbool,unset,unset-all,remove-section!idle
  --edit,rename-section!lasts --add,replace-all,global,system,local,worktree,bool,int,path,bool-or-int,name-only,
  null,show-origin,show-scope,includes,no-includes,no-type,all,append | first setting
git config get/list/unset/remove-section/get-color/get-colorbool | text* | -tz= -f=take --file=take --all,global,local,system
git config set | config* | -f=take --file=take --all,global,system,local,worktree,append,bool,int --type,value,comment= | first setting
git config edit | text* | --global,system,local | lasts:git
git config rename-section | text* | | lasts:git
git bisect/gc/prune/repack/fsck/notes/replace/reset/update-index/update-ref/upload-pack/receive-pack/svn/lfs/flow | text*
git reflog expire/delete | text*
gh/glab | maybe*
`;
