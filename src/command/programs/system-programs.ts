/** Programs that change the machine, its users and what it starts. The columns are those of `Row`. */
export const systemPrograms = `
crontab/fcrontab/incrontab | code | -u= -lrTV!idle -ei --help,version!idle | lasts:timed input
at | text* | -lrdcV!idle -mMvbqt -f=code | lasts:timed input
batch | text* | -V!idle -f=code | lasts:timed input
schtasks | text* | | lasts:timed
systemd-run | words | -puEHM= --property,unit,setenv,uid,gid,slice,description,nice,working-directory,host,machine=
  --scope,wait,pty,pipe,shell,help,version!idle -tSP!idle -dqrG --user,system,collect,no-block,quiet,same-dir
  --on-active,on-boot,on-startup,on-unit-active,on-calendar,timer-property,path-property,socket-property=!lasts |
  first lasts:timed
systemctl/loginctl | text* | -HMptsnoP= --host,machine,root,property,type,state,signal,lines,output=
  --user,system,now,no-block,force,runtime,global,quiet,no-pager,all -aflq
systemctl enable/reenable/preset/preset-all/link/edit/set-default/add-wants/add-requires/set-property/unmask | text* | |
  lasts:starts
systemctl set-environment/import-environment | text* | | lasts:starts
loginctl enable-linger | text* | | lasts:starts
launchctl load/bootstrap/enable/submit/setenv/config | text* | | lasts:starts
update-rc.d | text* | | lasts:starts
chkconfig | text* | --list!idle --add,level | lasts:starts
rc-update add | text* | | lasts:starts
rc-update | text* | -a!lasts
pm2 startup/save | text* | | lasts:starts
sc create/config | text* | | lasts:starts
reg add | text* | | lasts:starts
reg/defaults/launchctl | text*
defaults write | text* | | lasts:settings
update-alternatives/alternatives | text* | --install,set,config,slave!lasts --display,list,query
chsh/usermod/useradd/adduser/groupmod/groupadd/gpasswd/chpasswd/newusers/vipw/vigr | text* | -aGsdgu= -hD!idle
  --help,version!idle | lasts:accounts
passwd | text* | -S!idle --status,help!idle | lasts:accounts
visudo | text* | -cV!idle -f= --check,help!idle | lasts:accounts
setcap | text* | -rv!idle --help!idle | lasts:rights
insmod/kldload/kextload/kmutil | text* | | lasts:kernel
modprobe | text* | -rnDcV!idle --remove,dry-run,show-depends,help,version,showconfig!idle | lasts:kernel
sysctl | text* | -awpnqe
setx | text* | | lasts:settings
`;
