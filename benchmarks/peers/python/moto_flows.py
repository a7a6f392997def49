"""Runs definitions in the interpreter of moto. Parses them once, outside of the timing.

Arguments: the input, and pairs of a name and a definition."""

import json
import sys

from moto.stepfunctions.parser.api import StateMachineType
from moto.stepfunctions.parser.asl.component.state.exec.state_task import lambda_eval_utils
from moto.stepfunctions.parser.asl.eval.environment import Environment
from moto.stepfunctions.parser.asl.eval.evaluation_details import AWSExecutionDetails
from moto.stepfunctions.parser.asl.eval.event.event_manager import EventHistoryContext
from moto.stepfunctions.parser.asl.eval.program_state import ProgramEnded
from moto.stepfunctions.parser.asl.eval.states import ContextObjectData, ExecutionData, StateMachineData
from moto.stepfunctions.parser.asl.parse.asl_parser import AmazonStateLanguageParser

from protocol import answer, read, serve, timed

ACCOUNT, REGION, ROLE = "123456789012", "eu-central-1", "arn:aws:iam::123456789012:role/peers"
document = read(sys.argv[1])


def invoke(parameters, region, state_credentials):
    """Replaces the integration with Lambda by a function of this process."""
    name = parameters["FunctionName"].rsplit(":", 1)[-1]
    payload = answer(document["order"], name, json.loads(parameters["Payload"]))
    return {"StatusCode": 200, "ExecutedVersion": "$LATEST", "Payload": payload}


lambda_eval_utils._invoke_lambda_function = invoke


def program(path):
    parsed = AmazonStateLanguageParser.parse(json.dumps(read(path)))[0]

    def run():
        execution = ExecutionData(
            Id="arn:aws:states:eu-central-1:123456789012:execution:flow:one",
            Input=json.loads(json.dumps(document)),
            Name="one",
            RoleArn=ROLE,
            StartTime="2026-01-01T00:00:00Z",
        )
        machine = StateMachineData(Id="arn:aws:states:eu-central-1:123456789012:stateMachine:flow", Name="flow")
        environment = Environment(
            aws_execution_details=AWSExecutionDetails(ACCOUNT, REGION, ROLE),
            execution_type=StateMachineType.EXPRESS,
            context=ContextObjectData(Execution=execution, StateMachine=machine),
            event_history_context=EventHistoryContext.of_program_start(),
            cloud_watch_logging_session=None,
            activity_store={},
        )
        parsed.eval(environment)
        ended = environment.program_state()
        if not isinstance(ended, ProgramEnded):
            raise RuntimeError(f"the execution failed: {ended}")
        return environment.states.get_input()

    return run, timed(run)


serve("moto", {name: program(path) for name, path in zip(sys.argv[2::2], sys.argv[3::2])})
