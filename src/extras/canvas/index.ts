export type { CanvasContent, CanvasEvent, CanvasPlace, CanvasServer, CanvasSnapshot } from './canvas-port.js';
export { canvasTool } from './canvas-tool.js';
export { type CanvasServerOptions, canvasServer } from './loopback-canvases.js';
