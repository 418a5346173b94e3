export { type ToolkitGatewayOptions, toolkitGateway } from './from-toolkit.js';
export type { Gateway } from './tool.js';
export { gatewayTool } from './tool.js';
