export { type FileScheduleOptions, fileSchedule } from './file-schedule.js';
export { type Heartbeat, type HeartbeatOptions, heartbeat } from './heartbeat.js';
export { pgSchedule } from './pg-schedule.js';
export type { RunningSchedule, ScheduleOptions } from './running-schedule.js';
export type { JobBook, JobRun, NewJob, Schedule, ScheduledJob } from './schedule.js';
export { cronTool } from './tool.js';
