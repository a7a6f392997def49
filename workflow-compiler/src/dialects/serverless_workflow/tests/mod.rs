//! Reading and lowering workflows of Serverless Workflow.
