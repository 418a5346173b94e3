/** Programs that make, change, move, pack and remove files. The columns are those of `Row`. */
export const filePrograms = `
rm/grm/srm/trash/shred | write* | -fvidIzu -rR!tree -ns= --force,verbose,dir,zero,remove,one-file-system,no-preserve-root
  --recursive!tree --interactive,preserve-root?= --iterations,size=
rmdir/unlink/mkfifo/sponge/mktemp/rimraf | write* | -pvadu --parents,verbose,ignore-fail-on-non-empty,directory
mkdir | write* | -pv -mZ= --parents,verbose --mode=
touch | write* | -acfhm -dt= -r=name --no-create --date,time= --reference=name
truncate | write* | -co -s= -r=name --size= --reference=name
tee | write* | -aip --append,ignore-interrupts --output-error?=
emacs/emacsclient | take* | -qnct -l=code -f=script --batch,script,no-init-file,quick --load=code
  --eval,execute,funcall=script
patch/ex/ed/nano/pico/micro/hx/kak/gedit | take* | -i=read -d=put -o=write --directory=put
chmod/chown/chgrp/setfacl/chattr | text write* | -cfvhHLP -R!tree --recursive!tree --changes,silent,quiet,verbose
  --reference=name --no-preserve-root,dereference,no-dereference --from=
cp/gcp | read* put | -abdfilnpPuvxTsLH -rR!tree -t=put -S= --target-directory=put --recursive,archive!tree --suffix=
  --force,interactive,no-clobber,no-target-directory,update,verbose,dereference,no-dereference,link,symbolic-link
  --preserve,backup,reflink,sparse?=
install/ginstall | read* put | -bcCdDpvT -mgoS= -t=put --target-directory=put --mode= --owner,group=
  --directory,compare,verbose --strip-program=shell
ln/gln/link | read* put | -bdfFiLnPrsTv -S= -t=put --target-directory=put --symbolic,force,relative,no-dereference | tree
mv/gmv | take* put | -bfinuvT -S= -t=put --target-directory=put --force,no-clobber,update,verbose | tree
rsync | read* put | -vqcrRbudlLkKHpEAXogDtSnWxPCmyzhi0146a8 -eT= -e=shell --rsh,rsync-path=shell -f= -B=
  --exclude,include,filter,bwlimit,timeout,port,chmod,chown,usermap,groupmap,out-format,log-file-format,info,debug=
  --exclude-from,include-from,files-from,password-file=read --log-file,backup-dir,partial-dir,temp-dir,write-batch=write
  --archive,verbose,delete,delete-after,delete-before,delete-excluded,dry-run,progress,stats,compress | tree
dd/gdd/dcfldd/dc3dd | text*
tar/bsdtar/gtar | read* | -AdkmnOprtuUvwWxzjJZPSlBchiao -f=read -C=put -TX=code -IF=shell -bKLNVHg= -g=write
  --create,extract,list,gzip,bzip2,xz,zstd,verbose,append,update,get,to-stdout,keep-old-files --file=read
  --to-command,use-compress-program,rsh-command,info-script,new-volume-script,checkpoint-action,rmt-command=shell
  --checkpoint?= --one-top-level?=put --directory=put --exclude,strip-components,transform,owner,group,mode=
  --listed-incremental=write --index-file=write --files-from,exclude-from=code | tree bundled
zip | write read* | -rqvjm0123456789uFfDTy -xi= -:TT=shell -Ob=write --unzip-command=shell
  --recurse-paths --out=write | tree zip
unzip/unrar/funzip | read text* | -oqntljavp -d=put -x=
7z/7za/7zr | text read* | -o?=put -p?= | tree
gzip/gunzip/bzip2/bunzip2/xz/unxz/zstd/unzstd/lz4/lzma/unlzma/pigz/brotli/compress/uncompress | take* |
  -cdfklnNqtvz0123456789 -r!tree -S= -o=write --stdout,decompress,keep,force,test,list,verbose
cpio/pax/ar | text* | -idotvumpB -F=read -O=write -D=put -ER=
sed/gsed | script read* | -nErsuz -i?=!edit -e=script!given -f=code!given -l= --quiet,silent,regexp-extended,
  separate,unbuffered,null-data,posix,debug,follow-symlinks --expression=script!given --file=code!given
  --in-place?=!edit --line-length= | looks
awk/gawk/mawk/nawk/bwk | script read* | -bcCghMnNOPrsStV -Fv= -f=code!given -iEl=code -e=script!given --file=code!given
  --assign,field-separator= --include,load,exec=code --source=script!given
vi/vim/nvim/gvim/rvim/vimdiff/vimtutor/rview/view | take* | -RnbdeEsyNCZmMoOp -c=script -S=code -uUiVw= --cmd=script
  +=script --clean,headless,noplugin
openssl | text* | -in,inkey,certin,CAfile,key,cert=read -out,keyout,writerand=write -engine,provider=code -d | plain
pandoc | read* | -s -o=write -ftV= --filter,lua-filter,pdf-engine=shell -FL=shell --output=write --template,defaults=code
ffmpeg/convert/magick/gs | take*
sqlite3 | take script* | -cmd=script -init=code -readonly,json,csv,batch,header,line,box,table | plain
psql | text* | -AtqxXwWaeEnsS1 -hpUdvPFRTL= -f=code -c=script -o=write --command=script --file=code --output=write
  --host,port,username,dbname,set=
mysql/mariadb | text* | -hPuDp?= -e=script --execute=script --pager=shell
redis-cli/mongosh | text* | --eval=script
tcpdump | text* | -nvXAqetS -icsw= -z=shell -r=read -w=write -F=code
`;
