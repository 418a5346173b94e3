/** Programs that reach other machines. The columns are those of `Row`. */
export const networkPrograms = `
curl | host* | -fsSLkivgGIjlnNOqRaBpJ#0123 -AemQrtuUwxXyYzP= -o=write -DcK=write -T=read -FdH=post -b=read -EC=
  --output,dump-header,cookie-jar,trace,trace-ascii,stderr,hsts,alt-svc,etag-save,libcurl=write --output-dir=put
  --cookie,upload-file,cert,key,cacert,netrc-file,etag-compare=read --config=code --data,data-binary,data-urlencode,data-ascii,
  form,json,url-query,header,proxy-header,variable=post --data-raw,form-string,url,user,proxy,request,
  user-agent,max-time,connect-timeout,retry,referer,range,write-out,resolve,interface,limit-rate=
  --silent,fail,location,insecure,compressed,include,head,remote-name,show-error,verbose,get,globoff,netrc,create-dirs,
  remote-name-all,remote-header-name,fail-with-body,http2,ipv4,ipv6,no-progress-meter,progress-bar,no-buffer
wget/wget2 | host* | -qvcNSrklpnmHEFxdb46 -UtTwQIXDRAel= -O=write -P=put -aoi=write --output-document,output-file,
  append-output,save-cookies,warc-file,hsts-file,rejected-log=write --directory-prefix=put --post-file,body-file,
  load-cookies,certificate,private-key,ca-certificate=read --input-file,config=code --use-askpass=shell
  --post-data,body-data,header,user-agent,timeout,tries,user,password,level,accept,reject,execute,progress,method=
  --quiet,continue,no-check-certificate,recursive,mirror,no-clobber,spider,timestamping,content-disposition,no-verbose
http/https/ht/xh/curlie/fetch/aria2c/axel/yt-dlp/youtube-dl/lynx/links/elinks/w3m/lwp-request/lwp-download/get | host* |
  -odPp=write --output,dir,paths=write --exec,netrc-cmd=shell --data=post -O
ssh | host shell* | -46AaCfGgKkMNnqsTtVvXxYy -BbcDeIiJLlmOpQRSWw= -o=config -E=write -F=code | first joined serves input
scp/sftp | read* put | -346ABCpqrTvR -cFiJlPX= -S=shell -D=shell -o=config -b=code | tree serves
ssh-copy-id | host | -fnsg!idle -h!idle -ipo= | lasts:accounts
ssh-add/ssh-keygen/ssh-agent | text* | -fFP= -s=code
nc/ncat/netcat/nc.openbsd/nc.traditional/cryptcat/pwncat | host* | -46bCDdFhklNnrStUuvzZ -IiMmOPpqsTVwXx= -ec=shell
  --exec,sh-exec,lua-exec=shell --listen,ssl,udp,verbose,version,keep-open,recv-only,send-only --wait,source-port= | serves
socat/telnet/ftp/tftp/lftp/websocat/rclone/gsutil/ipfs/snarf/dig/nslookup/host/invoke-webrequest/iwr | host*
openssl s_client | host* | | serves
aws s3/s3api | host*
gh api/gist | host* | -fFXH= --jq,template,input= --paginate,silent
gh release/run download | host* | -DpOn=
`;
