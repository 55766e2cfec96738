variable "region" {
  default = "eu"
}

locals {
  prefix = "shop"
  size   = 3
}

# The machine. It serves.
resource "aws_instance" "web" {
  ami   = data.aws_ami.base.id
  count = local.size
  tags  = { Name = upper(var.region) }
}

data "aws_ami" "base" {
  most_recent = true
}

module "network" {
  source = "./network"
  vpc    = aws_instance.web.vpc
}

output "address" {
  value = module.network.address
}

provider "aws" {
  region = var.region
}

ephemeral "random_password" "root" {
  length = var.region
}

check "health" {
  assert {
    condition = var.region != ""
  }
}
