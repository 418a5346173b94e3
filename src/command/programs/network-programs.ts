/** Programs that reach other machines. The columns are those of `Row`. */
export const networkPrograms = `
curl | host* | -fsSLkivgGIjlnNOqRaBpJ#0123 -AemQrtuUwxXyYzP= -o=write -Dc=write -K=code -TE=read -FdH=post -b=read -C=
  --output,dump-header,cookie-jar,trace,trace-ascii,stderr,hsts,alt-svc,etag-save,libcurl=write --output-dir=put
  --cookie,upload-file,cert,key,cacert,netrc-file,etag-compare=read --config=code --data,data-binary,data-urlencode,data-ascii,
  form,json,url-query,header,proxy-header,variable=post --data-raw,form-string,url,user,proxy,request,
  user-agent,max-time,connect-timeout,retry,referer,range,write-out,resolve,interface,limit-rate=
  --silent,fail,location,insecure,compressed,include,head,remote-name,show-error,verbose,get,globoff,netrc,create-dirs,
  remote-name-all,remote-header-name,fail-with-body,http2,ipv4,ipv6,no-progress-meter,progress-bar,no-buffer
wget/wget2 | host* | -qvcNSrklpnmHEFxdb46 -UtTwQIXDRAl= -e=config -O=write -P=put -ao=write -i=read --output-document,output-file,
  append-output,save-cookies,warc-file,hsts-file,rejected-log=write --directory-prefix=put --post-file,body-file,
  load-cookies,certificate,private-key,ca-certificate=read --input-file,config=code --use-askpass=shell
  --post-data,body-data,header,user-agent,timeout,tries,user,password,level,accept,reject,progress,method= --execute=config
  --quiet,continue,no-check-certificate,recursive,mirror,no-clobber,spider,timestamping,content-disposition,no-verbose
http/https/ht/xh | host post* | -fjvhbqFS -o=write -ap= --output=write --auth,session,verify,print= --form,json,body,headers,follow,download
curlie/fetch/aria2c/axel/yt-dlp/youtube-dl/lynx/links/elinks/w3m/lwp-request/lwp-download/get | host* |
  -odPp=write -i=read --input-file=read --output,dir,paths=write --exec,netrc-cmd=shell --data=post -O
ssh | host shell* | -46AaCfGgKkMNnqsTtVvXxYy -BbcDeIiJLlmOpQRSWw= -o=config -E=write -F=code | first joined serves input
scp/sftp | read* put | -346ABCpqrTvR -cFiJlPX= -S=shell -D=shell -o=config -b=code | tree serves
ssh-copy-id | host | -fnsg!idle -h!idle -ipo= | lasts:accounts
ssh-agent | words | -Dcdks -aEPt= | first
ssh-add/ssh-keygen | maybe* | -yltqRH -CNbP= -f=take -F= -s=code
nc/ncat/netcat/nc.openbsd/nc.traditional/cryptcat/pwncat | host* | -46bCDdFhklNnrStUuvzZ -IiMmOPpqsTVwXx= -ec=shell
  --exec,sh-exec,lua-exec=shell --listen,ssl,udp,verbose,version,keep-open,recv-only,send-only --wait,source-port= | serves
rclone/gsutil | text read* | | serves
socat/telnet/ftp/tftp/lftp/websocat/ipfs/snarf/dig/nslookup/host/invoke-webrequest/iwr | host*
openssl s_client | host* | | serves
aws s3/s3api | host*
aws s3 cp/mv/sync | read* put | | tree serves
gh api/gist | host* | -fXH= -F=post --field=post --jq,template= --input=read --paginate,silent
gh gist create/edit | read* | -dfa= --desc,filename= --add=read --public,web
gh release create/upload | text read* | -nt= -F=read --notes,title,target= --notes-file=read --clobber,draft
gh release/run download | host* | -DpOn=
`;
