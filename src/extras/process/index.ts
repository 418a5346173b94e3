export { processTools } from './process-tools.js';
